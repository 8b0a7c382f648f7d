import type { Nodes } from 'mdast';
import { fragmentText } from './html-fragment.js';
import { withoutMdbookDirectives } from './mdbook-directives.js';

const NEVER_PROSE = new Set<string>(
  'yaml toml mdxjsEsm mdxFlowExpression thematicBreak definition'.split(' '),
);
const PROSE_WITH_TEXT = new Set<string>('paragraph html mdxJsxFlowElement detailsElement'.split(' '));
const CONTAINERS = new Set<string>('list listItem blockquote footnoteDefinition'.split(' '));

/** Whether a block has no content, so that no chunk contains it. */
export function isNoise(node: Nodes): boolean {
  if (node.type === 'code') return node.value !== '' && withoutMdbookDirectives(node.value).trim() === '';
  if (CONTAINERS.has(node.type) && 'children' in node)
    return node.children.length > 0 && node.children.every(isNoise);
  return NEVER_PROSE.has(node.type) || (PROSE_WITH_TEXT.has(node.type) && !hasText(node));
}

/** The text of a node itself, without its children. */
export function ownText(node: Nodes): string {
  if (node.type === 'text') return withoutMdbookDirectives(node.value);
  if (node.type === 'html') return fragmentText(node.value);
  return node.type === 'inlineCode' || node.type === 'code' ? node.value : '';
}

function hasText(node: Nodes): boolean {
  if (node.type === 'image' || node.type === 'imageReference') return true;
  if (ownText(node).trim() !== '') return true;
  return 'children' in node && node.children.some(hasText);
}
