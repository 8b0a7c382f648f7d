import type { Nodes, Parent, Root, RootContent } from 'mdast';
import { toText } from 'hast-util-to-text';
import { visit } from 'unist-util-visit';
import { fragmentText, parseFragment } from './html-fragment.js';

/** `<details>` in CommonMark: raw HTML tags with Markdown between them. */
export interface DetailsElement extends Parent {
  type: 'detailsElement';
  summary: string;
  children: RootContent[];
}

declare module 'mdast' {
  interface RootContentMap {
    detailsElement: DetailsElement;
  }
}

const MOST_LEVELS = 20;

/** Wraps the nodes between `<details>` and `</details>` in one node each. */
export function gatherDetails(root: Root): void {
  visit(root, (node: Nodes) => {
    if (node.type === 'root') node.children = gatherAmong(node.children);
    if (node.type === 'listItem' || node.type === 'blockquote' || node.type === 'containerDirective')
      node.children = gatherAmong(node.children) as typeof node.children;
  });
}

function gatherAmong(siblings: RootContent[]): RootContent[] {
  const gathered: RootContent[] = [];
  let inside: RootContent[] = [];
  let levels = 0;
  const close = () => {
    if (inside.length > 0) gathered.push(detailsElement(inside));
    inside = [];
  };
  for (const node of siblings) {
    const details = readDetails(node, levels);
    // `</details><details>` without a blank line between is one node, which belongs to the second fold.
    if (levels > 0 && details.closesOutermost && details.unclosed > 0) close();
    levels = details.unclosed;
    if (levels > MOST_LEVELS) return siblings;
    if (details.count > 0) inside.push(node);
    else gathered.push(node);
    if (levels === 0) close();
  }
  return [...gathered, ...inside];
}

/** Whether a node consists of the tags around a fold alone. */
export function isDetailsTag(node: Nodes, parent: Nodes): boolean {
  if (parent.type !== 'detailsElement' || node.type !== 'html' || node.value.includes('<!--')) return false;
  return (node === parent.children[0] || node === parent.children.at(-1)) && fragmentText(node.value) === '';
}

interface DetailsAround {
  /** How many `<details>` enclose a node or start in it. */
  count: number;
  /** How many of them are still open after it. */
  unclosed: number;
  closesOutermost: boolean;
}

function readDetails(node: RootContent, levels: number): DetailsAround {
  const around = { count: 0, unclosed: 0, closesOutermost: false };
  if (node.type !== 'html' || !/details/i.test(node.value))
    return { ...around, count: levels, unclosed: levels };
  visit(parseFragment('<details>'.repeat(levels) + node.value), 'element', ({ tagName, data }) => {
    if (tagName !== 'details') return;
    const isClosed = data?.position?.closing !== undefined;
    if (around.count === 0) around.closesOutermost = isClosed;
    around.count += 1;
    if (!isClosed) around.unclosed += 1;
  });
  return around;
}

function detailsElement(children: RootContent[]): DetailsElement {
  const [start, end] = [children[0]?.position?.start, children.at(-1)?.position?.end];
  return {
    type: 'detailsElement',
    summary: children.map(summaryIn).find((summary) => summary !== '') ?? '',
    children,
    ...(start && end ? { position: { start, end } } : {}),
  };
}

function summaryIn(node: RootContent): string {
  let summary = '';
  if (node.type !== 'html') return summary;
  visit(parseFragment(node.value), 'element', (element) => {
    if (element.tagName === 'summary') summary ||= toText(element).trim();
  });
  return summary;
}
