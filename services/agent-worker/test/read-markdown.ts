import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Nodes, Root } from 'mdast';

/** Replaces code in the prose. */
export const CODE = '\u0001';

const blocks = new Set(['paragraph', 'heading', 'tableCell', 'listItem', 'blockquote', 'code', 'break']);

/** Parses a text like a client that renders GitHub's Markdown. */
export const readGfm = (text: string): Root =>
  fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

const noMarkup = ['definition', 'htmlFlow', 'htmlText', 'labelStartLink', 'labelStartImage', 'labelEnd'];

/** The same without links and emphasis, so that all brackets stay in the prose. */
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
 * The lines that a reader sees outside code spans and fences. Indented code counts as prose, except code spans in it,
 * because models do not write it on purpose.
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
