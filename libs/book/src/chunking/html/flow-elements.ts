import type { Element, Nodes } from 'hast';
import { isChrome, namesIn } from './page-chrome.js';

const FLOW_TAGS = namesIn(`
  address article blockquote body center dd details dialog dir div dl dt fieldset figcaption
  figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu ol
  optgroup option p plaintext pre search section summary table ul xmp nav aside caption tbody
  thead tfoot tr td th
`);

/** Whether a node is rendered as a block; other nodes are inline. */
export function isFlow(node: Nodes): node is Element {
  return node.type === 'element' && (FLOW_TAGS.has(node.tagName) || holdsFlow(node));
}

export function holdsFlow(element: Element): boolean {
  return element.children.some((child) => !isChrome(child) && isFlow(child));
}

export function headingDepth({ tagName }: Element): number | undefined {
  return /^h[1-6]$/.test(tagName) ? Number(tagName.charAt(1)) : undefined;
}

export function holdsHeading(element: Element): boolean {
  return element.children.some(
    (child) =>
      child.type === 'element' &&
      !isChrome(child) &&
      (headingDepth(child) !== undefined || holdsHeading(child)),
  );
}
