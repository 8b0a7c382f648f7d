const NUL = '\u0000';
const REPLACEMENT = '\uFFFD';

/**
 * No store takes NUL or half a surrogate pair. Each is replaced by one character, so that offsets
 * into the text stay those of the original.
 */
export function wellFormedText(text: string): string {
  return text.replaceAll(NUL, REPLACEMENT).toWellFormed();
}
