/** Words with the space before them; their concatenation is the text. */
export function wordTokens(text: string): string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}

/** Four characters per token, OpenAI's rule of thumb for English. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
