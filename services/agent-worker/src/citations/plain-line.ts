import { NO_ADDRESSES } from './addresses.js';
import { CitationChecker } from './citation-checker.js';

/** Cleans a line that a model wrote, such as a topic summary: no markers, and no links, images or HTML. */
export function plainLine(text: string): string {
  const checker = new CitationChecker(() => false, NO_ADDRESSES);
  return checker.push(text) + checker.end();
}
