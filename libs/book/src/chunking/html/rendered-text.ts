import type { Element, ElementContent, Nodes, Root } from 'hast';
import { toText } from 'hast-util-to-text';
import { isChrome } from './page-chrome.js';

/** Blocks in every browser, but not to the library. */
const BLOCKS_LEFT_OUT = new Set(['details', 'summary', 'fieldset', 'search']);

/** What a reader sees of these nodes: without chrome, and each row of a table on one line. */
export function renderedText(...nodes: Nodes[]): string {
  return withoutBlankEnds(toText(shown({ type: 'root', children: nodes.flatMap(contentOf) })));
}

/** On one line; VitePress fills its heading links with a space of no width. */
export function lineText(...nodes: Nodes[]): string {
  return renderedText(...nodes)
    .replaceAll(/[\s\u200B]+/g, ' ')
    .trim();
}

function contentOf(node: Nodes): Root['children'] {
  if (node.type === 'root') return node.children;
  return [node];
}

/** Rows become lines here: the library would put tabs between cells and break lines inside them. */
function shown<Node extends Nodes>(node: Node): Node {
  if (!('children' in node)) return node;
  if (node.type === 'element' && node.tagName === 'tr') return { ...node, ...rowLine(node) };
  const tagName = node.type === 'element' && BLOCKS_LEFT_OUT.has(node.tagName) ? 'div' : undefined;
  const children = node.children.filter((child) => !isChrome(child)).map((child) => shown(child));
  return { ...node, ...(tagName ? { tagName } : {}), children };
}

function rowLine(row: Element): Pick<Element, 'tagName' | 'children'> {
  const cells = row.children.filter(isCell).map((cell) => lineText(...cell.children));
  const value = cells.some((cell) => cell !== '') ? cells.join(' | ') : '';
  return { tagName: 'div', children: [{ type: 'text', value }] };
}

function isCell(node: ElementContent): node is Element {
  return node.type === 'element' && (node.tagName === 'td' || node.tagName === 'th') && !isChrome(node);
}

/** The first line may be indented code. */
function withoutBlankEnds(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}
