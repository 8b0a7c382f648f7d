type Range = readonly [least: number, most: number];

/** At the model's pace 1 to 2 s, and 8 to 10 s: longer than a job's lock, which must be renewed meanwhile. */
const SHORT: Range = [60, 120];
const LONG: Range = [540, 620];
const LONG_ONE_IN = 8;
const WORDS_PER_CITATION = 20;
const TOKEN = /\bq[0-9a-f]{12}q\b/;

/** The token of the question in a prompt. */
export function tokenIn(text: string): string | undefined {
  return TOKEN.exec(text)?.[0];
}

export function tokenOf(uuid: string): string {
  return `q${uuid.replaceAll('-', '').slice(0, 12)}q`;
}

/** The number of words in the answer to the question with this token. */
export function answerLength(token: string): number {
  const number = Number.parseInt(token.slice(1, 9), 16);
  const [least, most] = number % LONG_ONE_IN === 0 ? LONG : SHORT;
  return least + (Math.floor(number / LONG_ONE_IN) % (most - least + 1));
}

/**
 * The correct answer to the question with this token. Each word holds the token and its position, so that a missing or
 * repeated word, and one of another question, is detected.
 */
export function scriptedAnswer(token: string): string {
  const count = answerLength(token);
  const words = Array.from({ length: count }, (_, index) => {
    const place = index + 1;
    const cites = place === count || place % WORDS_PER_CITATION === 0;
    return `${token}-${place}${cites ? ' [1]' : ''}`;
  });
  return words.join(' ');
}
