export type TextProblem = { kind: 'repeated' | 'foreign' | 'lost'; what: string };

const CITATION = /^\[\d+\]$/;

/** How a text differs from the expected one; undefined if they are equal. */
export function compareText(actual: string, expected: string): TextProblem | undefined {
  if (actual === expected) return undefined;
  const words = wordsOf(actual);
  const wanted = wordsOf(expected);
  const foreign = words.filter((word) => !wanted.includes(word));
  if (foreign.length > 0) return { kind: 'foreign', what: `holds ${sample(foreign)}` };
  const repeated = words.filter((word, index) => words.indexOf(word) !== index);
  if (repeated.length > 0) return { kind: 'repeated', what: `repeats ${sample(repeated)}` };
  const missing = wanted.filter((word) => !words.includes(word));
  if (missing.length > 0) return { kind: 'lost', what: `lacks ${sample(missing)}` };
  return { kind: 'lost', what: 'has its words out of order, or other blanks or citations between them' };
}

/** Without citations, which repeat: only the comparison of the whole texts includes them. */
function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '' && !CITATION.test(word));
}

function sample(words: readonly string[]): string {
  const [first = ''] = words;
  return words.length === 1 ? first : `${first} and ${words.length - 1} more`;
}
