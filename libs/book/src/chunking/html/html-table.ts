import type { Element } from 'hast';
import { SKIP, visit } from 'unist-util-visit';
import { TARGET_CHARACTERS, WHOLE_BLOCK_CHARACTERS } from '../chunk-size.js';
import type { Piece } from '../outline.js';
import { spanOf } from '../span-of.js';
import { cutText } from './cut-text.js';
import { isChrome } from './page-chrome.js';
import { renderedText } from './rendered-text.js';

/** Splits a large table into groups of rows, and a large row into its cells. */
export function cutTable(source: string, table: Element): Piece[] {
  const groups: Piece[] = [];
  let open: Piece | undefined;
  for (const row of rowsOf(table)) {
    const text = renderedText(row);
    if (text === '') continue;
    if (text.length > WHOLE_BLOCK_CHARACTERS) {
      groups.push(...cellsOf(row).flatMap((cell) => cutText(source, [cell], spanOf(cell), 'prose')));
      open = undefined;
    } else if (open && open.text.length + text.length < TARGET_CHARACTERS) {
      open.text += `\n${text}`;
      open.end = spanOf(row).end;
    } else {
      open = { ...spanOf(row), text };
      groups.push(open);
    }
  }
  return groups;
}

/** The rows, with the caption as the first one. */
function rowsOf(table: Element): Element[] {
  return partsOf(table, new Set(['tr', 'caption']));
}

function cellsOf(row: Element): Element[] {
  return row.tagName === 'tr' ? partsOf(row, new Set(['td', 'th'])) : [row];
}

function partsOf(element: Element, tagNames: ReadonlySet<string>): Element[] {
  const parts: Element[] = [];
  visit(element, 'element', (part) => {
    if (isChrome(part)) return SKIP;
    if (!tagNames.has(part.tagName)) return undefined;
    parts.push(part);
    return SKIP;
  });
  return parts;
}
