/** Pieces of about a word each, with the space before it, whose concatenation is exactly the text. */
export function wordTokens(text: string): string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}
