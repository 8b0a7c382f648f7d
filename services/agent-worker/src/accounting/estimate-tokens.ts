const CHARACTERS_PER_TOKEN = 4;
const beyondLatin = /[\u0250-\u{10ffff}]/gu;

/** Estimates the tokens of a text: one for four Latin characters, one for each character of other scripts. */
export function estimateTokens(text: string): number {
  const others = text.match(beyondLatin)?.length ?? 0;
  return Math.ceil((text.length - others) / CHARACTERS_PER_TOKEN) + others;
}
