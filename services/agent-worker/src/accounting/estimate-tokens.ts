const CHARACTERS_PER_TOKEN = 4;
const beyondLatin = /[\u0250-\u{10ffff}]/gu;

/** About how many tokens a text is: four Latin characters, or one of most other scripts. */
export function estimateTokens(text: string): number {
  const others = text.match(beyondLatin)?.length ?? 0;
  return Math.ceil((text.length - others) / CHARACTERS_PER_TOKEN) + others;
}
