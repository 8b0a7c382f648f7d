import type { Span } from '../spans.js';

/** mdBook's preprocessor puts files in their place; a backslash in front shows them as they are. */
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
