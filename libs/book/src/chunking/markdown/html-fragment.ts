import type { Root } from 'hast';
import { toText } from 'hast-util-to-text';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import type { Span } from '../spans.js';

const parser = unified().use(rehypeParse, { fragment: true, verbose: true }).freeze();

export function parseFragment(source: string): Root {
  return parser.parse(source);
}

/** The visible text of raw HTML, without comments, scripts and stray tags. */
export function fragmentText(source: string): string {
  const isLoneTag = source.startsWith('<') && source.indexOf('>') === source.length - 1;
  return isLoneTag ? '' : toText(parseFragment(source)).trim();
}

export function commentsIn(source: string): Span[] {
  if (!source.includes('<!--')) return [];
  const isLoneComment = source.startsWith('<!--') && source.indexOf('-->') === source.length - 3;
  if (isLoneComment) return [{ start: 0, end: source.length }];
  const comments: Span[] = [];
  visit(parseFragment(source), 'comment', ({ position }) => {
    const [start, end] = [position?.start.offset, position?.end.offset];
    if (start !== undefined && end !== undefined) comments.push({ start, end });
  });
  return comments;
}
