const SHORTEST = 60;
const LONGEST = 120;
const WORDS_PER_CITATION = 20;
const TOKEN = /\bq[0-9a-f]{12}q\b/;

/** The token that a question carries, wherever it stands in a prompt. */
export function tokenIn(text: string): string | undefined {
  return TOKEN.exec(text)?.[0];
}

export function tokenOf(uuid: string): string {
  return `q${uuid.replaceAll('-', '').slice(0, 12)}q`;
}

/**
 * The one right answer to the question with this token. Each word names the question and its own place, so that a
 * word that is missing, repeated or another question's is known for what it is.
 */
export function scriptedAnswer(token: string): string {
  const count = SHORTEST + (Number.parseInt(token.slice(1, 9), 16) % (LONGEST - SHORTEST + 1));
  const words = Array.from({ length: count }, (_, index) => {
    const place = index + 1;
    const cites = place === count || place % WORDS_PER_CITATION === 0;
    return `${token}-${place}${cites ? ' [1]' : ''}`;
  });
  return words.join(' ');
}
