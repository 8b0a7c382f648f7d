import { atEach, atEachRun, observing, type ParserContext } from './construct-observer.js';
import type { Language } from './language.js';
import { TooCostly } from './syntax-problem.js';

/**
 * micromark matches emphasis and links in time quadratic to their number in a paragraph, about 90 ns per pair:
 * 20,000 `*` take half a minute. Real pages stay below a hundredth of this.
 */
const MOST_PAIRS = 20_000_000;

/** Throws while a page is parsed whose marks would take minutes to match. */
export function markBudget(): Language {
  const inParagraph = new WeakMap<ParserContext, number>();
  const inPage = new WeakMap<ParserContext['parser'], number>();
  const spend = (context: ParserContext, added: number) => {
    const marks = (inParagraph.get(context) ?? 0) + added;
    const pairs = (inPage.get(context.parser) ?? 0) + added * (2 * marks - added);
    inParagraph.set(context, marks);
    inPage.set(context.parser, pairs);
    const { line, column } = context.now();
    if (pairs > MOST_PAIRS)
      throw new TooCostly('too many `*`, `_`, `~` or `[` in one paragraph', line, column);
  };
  // micromark reads a run of `*` at once and then splits it: each mark counts.
  const text = {
    ...observing('*_~', atEachRun(spend)),
    ...observing(
      '[',
      atEach((context) => spend(context, 1)),
    ),
  };
  return { syntax: [{ text }], tree: [] };
}
