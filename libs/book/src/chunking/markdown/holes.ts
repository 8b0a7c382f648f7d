import type { Nodes, Root } from 'mdast';
import { SKIP, visit } from 'unist-util-visit';
import { spanOf } from '../span-of.js';
import type { Span } from '../spans.js';
import { explicitIdNode } from './heading-id.js';
import { isDetailsTag } from './html-details.js';
import { commentsIn } from './html-fragment.js';
import { mdbookDirectivesIn } from './mdbook-directives.js';
import { isNoise } from './noise.js';

/** The parents of blocks: an inline tag stays with its text. */
const BLOCK_PARENTS = new Set<string>(
  'root blockquote list listItem footnoteDefinition containerDirective mdxJsxFlowElement detailsElement'.split(
    ' ',
  ),
);

/** The sorted spans that no chunk may contain; blocks are cut around them. */
export function findHoles(root: Root, source: string): Span[] {
  const holes: Span[] = [];
  visit(root, (node, _index, parent) => {
    const span = spanOf(node);
    const isBlock = parent !== undefined && BLOCK_PARENTS.has(parent.type);
    if (isBlock && isNoise(node) && !isDetailsTag(node, parent)) {
      holes.push(span);
      return SKIP;
    }
    // A comment may be the id of a heading.
    if (parent?.type === 'heading' && explicitIdNode(parent) === node) return SKIP;
    const inside = holesInText(node, source.slice(span.start, span.end));
    for (const { start, end } of inside) holes.push({ start: span.start + start, end: span.start + end });
    return undefined;
  });
  return holes.toSorted((a, b) => a.start - b.start);
}

function holesInText(node: Nodes, text: string): Span[] {
  if (node.type === 'html') return commentsIn(text);
  if (node.type === 'text') return mdbookDirectivesIn(text);
  const isComment = node.type === 'mdxTextExpression' && /^\s*\/\*[^]*\*\/\s*$/.test(node.value);
  return isComment ? [{ start: 0, end: text.length }] : [];
}
