import { stemmer } from 'stemmer';
import { eng as functionWords } from 'stopword';

const empty: ReadonlySet<string> = new Set(functionWords);

/**
 * The share of the question's words, compared by stem, that occur in the passages, 0–1; function words such as "what" do
 * not count. Unlike a BM25 score it does not grow with the length of the question or the size of the book.
 */
export function wordCoverage(question: string, passages: readonly string[]): number {
  const asked = new Set(stemsIn(question, anyWord));
  if (asked.size === 0) return 0;
  // A stem begins like its word, so only words that begin like one of the question's stems need to be stemmed.
  const beginnings = new Set([...asked].map((stem) => stem.slice(0, 2)));
  const likeAsked = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${[...beginnings].join('|')})[\\p{L}\\p{N}_]*`, 'gu');
  const held = new Set(passages.flatMap((passage) => stemsIn(passage, likeAsked)));
  return [...asked].filter((stem) => held.has(stem)).length / asked.size;
}

const anyWord = /[\p{L}\p{N}_]+/gu;

function stemsIn(text: string, words: RegExp): string[] {
  const found = text.toLowerCase().match(words) ?? [];
  return found.filter((word) => !empty.has(word)).map((word) => stemmer(word));
}
