import type { Span } from '../spans.js';

/** mdBook's preprocessor replaces them by files; a backslash in front escapes them. */
const DIRECTIVE = /(?<!\\)\{\{\s*#[^{}]*\}\}/g;

export function mdbookDirectivesIn(text: string): Span[] {
  return [...text.matchAll(DIRECTIVE)].map(({ 0: match, index }) => ({
    start: index,
    end: index + match.length,
  }));
}

export function withoutMdbookDirectives(text: string): string {
  return text.replaceAll(DIRECTIVE, '');
}
