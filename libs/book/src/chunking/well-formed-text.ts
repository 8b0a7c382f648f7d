const NUL = '\u0000';
const REPLACEMENT = '\uFFFD';

/**
 * Replaces NUL and lone surrogates, which no store accepts, by one character each, which keeps the offsets.
 */
export function wellFormedText(text: string): string {
  return text.replaceAll(NUL, REPLACEMENT).toWellFormed();
}
