import { NO_ADDRESSES } from './addresses.js';
import { CitationChecker } from './citation-checker.js';

/** A line that a model wrote beside the answer, as clients may show it: without markers, and as safe as an answer. */
export function plainLine(text: string): string {
  const checker = new CitationChecker(() => false, NO_ADDRESSES);
  return checker.push(text) + checker.end();
}
