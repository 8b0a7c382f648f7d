/** Words with the space before them; their concatenation is the text. */
export function wordTokens(text: string): string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}
