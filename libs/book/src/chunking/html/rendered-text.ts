import type { Element, ElementContent, Nodes, Root } from 'hast';
import { toText } from 'hast-util-to-text';
import { isChrome } from './page-chrome.js';

/** Elements that browsers render as blocks and the library does not. */
const BLOCKS_LEFT_OUT = new Set(['details', 'summary', 'fieldset', 'search']);

/** The visible text of these nodes: without chrome, and each row of a table on one line. */
export function renderedText(...nodes: Nodes[]): string {
  return withoutBlankEnds(toText(shown({ type: 'root', children: nodes.flatMap(contentOf) })));
}

/** On one line, without the zero-width space in the heading links of VitePress. */
export function lineText(...nodes: Nodes[]): string {
  return renderedText(...nodes)
    .replaceAll(/[\s\u200B]+/g, ' ')
    .trim();
}

function contentOf(node: Nodes): Root['children'] {
  if (node.type === 'root') return node.children;
  return [node];
}

/** Each row becomes a line: the library would put tabs between cells and break lines inside them. */
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

/** Keeps the indentation of the first line, which may be code. */
function withoutBlankEnds(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}
