import type { Element, Nodes } from 'hast';
import { TARGET_CHARACTERS, WHOLE_BLOCK_CHARACTERS } from '../chunk-size.js';
import type { OutlineEvent, Piece } from '../outline.js';
import { spanOf } from '../span-of.js';
import { trimSpan, type CutKind, type Span } from '../spans.js';
import { cutText } from './cut-text.js';
import { headingDepth, holdsFlow, holdsHeading, isFlow } from './flow-elements.js';
import { anchorIn, anchorOf, idOf } from './html-anchors.js';
import { cutTable } from './html-table.js';
import { isChrome } from './page-chrome.js';
import { lineText, renderedText } from './rendered-text.js';

type Events = Generator<OutlineEvent, void>;

interface Place {
  source: string;
  opensSections: boolean;
  /** Whether a header or footer here is the page's, not a part's. */
  inFrame: boolean;
  /** Of an empty anchor or a section that begins right here: it names the heading that follows. */
  anchor: { pending: string | undefined };
}

const CONTAINERS = new Set(['ul', 'ol', 'menu', 'dl', 'blockquote', 'figure', 'details', 'li', 'dt', 'dd']);
const LIST_PARTS = new Set(['li', 'dt', 'dd']);
const SECTIONING = new Set(['article', 'section', 'main', 'blockquote', 'li']);

/** The page in reading order: a list or quote that fits is one piece, a larger one is taken apart. */
export function htmlOutline(source: string, content: readonly Nodes[], inFrame: boolean): Events {
  return flow({ source, opensSections: true, inFrame, anchor: { pending: undefined } }, content);
}

function* flow(place: Place, nodes: readonly Nodes[]): Events {
  let line: Nodes[] = [];
  for (const node of nodes) {
    if (!isFlow(node)) {
      line.push(node);
      continue;
    }
    yield* lineEvents(place, line);
    line = [];
    if (place.inFrame && (node.tagName === 'header' || node.tagName === 'footer')) yield { type: 'noise' };
    else if (!isChrome(node)) yield* elementEvents(place, node);
  }
  yield* lineEvents(place, line);
}

/** Text between blocks. */
function* lineEvents(place: Place, line: readonly Nodes[]): Events {
  const shown = line.filter((node) => renderedText(node) !== '');
  const [first, last] = [shown[0], shown.at(-1)];
  const nodes = first && last ? line.slice(line.indexOf(first), line.lastIndexOf(last) + 1) : line;
  const start = first ? spanOf(first).start : 0;
  yield* textEvents(
    place,
    nodes,
    { start, end: last ? spanOf(last).end : start },
    'prose',
    TARGET_CHARACTERS,
  );
}

function* elementEvents(place: Place, element: Element): Events {
  const depth = headingDepth(element);
  if (depth !== undefined && place.opensSections) {
    yield* headingEvents(place, element, depth);
  } else if (element.tagName === 'table' && !holdsHeading(element)) {
    yield* tableEvents(place, element);
  } else if (element.tagName === 'pre') {
    yield* textEvents(place, [element], spanOf(element), 'code', WHOLE_BLOCK_CHARACTERS);
  } else if (CONTAINERS.has(element.tagName)) {
    yield* containerEvents(place, element);
  } else if (holdsFlow(element)) {
    if (element.tagName === 'section') place.anchor.pending = idOf(element) ?? place.anchor.pending;
    const inFrame = place.inFrame && !SECTIONING.has(element.tagName);
    yield* flow({ ...place, inFrame }, element.children);
  } else {
    yield* textEvents(place, [element], spanOf(element), 'prose', TARGET_CHARACTERS);
  }
}

function* headingEvents({ source, anchor }: Place, heading: Element, depth: number): Events {
  const text = lineText(heading);
  const named = anchorOf(heading) ?? anchor.pending;
  anchor.pending = undefined;
  if (text !== '')
    yield { type: 'heading', depth, text, anchor: named, line: pieceOf(source, spanOf(heading), text) };
}

function* containerEvents(place: Place, container: Element): Events {
  const isFold = container.tagName === 'details';
  const limit = LIST_PARTS.has(container.tagName) ? WHOLE_BLOCK_CHARACTERS : TARGET_CHARACTERS;
  const mustBeTakenApart = isFold && place.opensSections && holdsHeading(container);
  if (renderedText(container).length <= limit && !mustBeTakenApart) {
    yield* textEvents(place, [container], spanOf(container), 'prose', limit);
    return;
  }
  const label = isFold ? summaryOf(container) : '';
  if (label !== '') yield { type: 'enter', label };
  yield* flow({ ...place, opensSections: place.opensSections && isFold, inFrame: false }, container.children);
  if (label !== '') yield { type: 'leave' };
}

function* tableEvents(place: Place, table: Element): Events {
  const text = renderedText(table);
  if (text.length <= WHOLE_BLOCK_CHARACTERS) {
    yield* textEvents(place, [table], spanOf(table), 'rows', WHOLE_BLOCK_CHARACTERS);
    return;
  }
  // Rows without their table are rows only to themselves: they share no chunk with other blocks.
  for (const piece of cutTable(place.source, table)) {
    yield { type: 'noise' };
    yield { type: 'piece', piece };
  }
  yield { type: 'noise' };
}

function* textEvents(
  place: Place,
  nodes: readonly Nodes[],
  span: Span,
  kind: CutKind,
  limit: number,
): Events {
  const text = renderedText(...nodes);
  if (text === '') {
    place.anchor.pending = anchorIn(...nodes) ?? place.anchor.pending;
    return;
  }
  place.anchor.pending = undefined;
  const pieces =
    text.length <= limit ? [pieceOf(place.source, span, text)] : cutText(place.source, nodes, span, kind);
  for (const piece of pieces) yield { type: 'piece', piece };
}

function summaryOf(details: Element): string {
  const summary = details.children.find((child) => child.type === 'element' && child.tagName === 'summary');
  return summary ? lineText(summary) : '';
}

function pieceOf(source: string, span: Span, text: string): Piece {
  return { ...trimSpan(source, span), text };
}
