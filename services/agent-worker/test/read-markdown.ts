import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Nodes, Root } from 'mdast';

/** Stands in the prose where code was taken out. */
export const CODE = '\u0001';

const blocks = new Set(['paragraph', 'heading', 'tableCell', 'listItem', 'blockquote', 'code', 'break']);

/** As a client that renders GitHub's Markdown reads it. */
export const readGfm = (text: string): Root =>
  fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

const noMarkup = ['definition', 'htmlFlow', 'htmlText', 'labelStartLink', 'labelStartImage', 'labelEnd'];

/** The same with nothing but blocks and code, so that all brackets stay in the prose. */
const readCode = (text: string): Root =>
  fromMarkdown(text, {
    extensions: [gfm(), { disable: { null: [...noMarkup, 'gfmFootnoteDefinition'] } }],
    mdastExtensions: [gfmFromMarkdown()],
  });

export function allNodes(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap((child) => allNodes(child)) : [])];
}

const codeSpan = /(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g;

/**
 * What a reader sees outside code spans and fences, by lines. Indented code is prose, but for code spans in it: models
 * write none on purpose.
 */
export function proseOf(text: string): string {
  return proseIn(readCode(text), text);
}

function proseIn(node: Nodes, source: string): string {
  if (node.type === 'inlineCode') return CODE;
  if (node.type === 'code') {
    const isFenced = /^(?:```|~~~)/.test(source.slice(node.position?.start.offset ?? 0));
    return isFenced ? `\n${CODE}\n` : `\n${node.value.replaceAll(codeSpan, CODE)}\n`;
  }
  const inside = 'children' in node ? node.children.map((child) => proseIn(child, source)).join('') : '';
  const own = 'value' in node ? node.value : '';
  return blocks.has(node.type) ? `\n${inside}${own}\n` : inside + own;
}
