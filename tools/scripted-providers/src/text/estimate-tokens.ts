/** Four characters a token, the rule of thumb for English that OpenAI's documentation gives. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
