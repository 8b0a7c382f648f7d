import { atEach, observing, type ParserContext } from './construct-observer.js';
import type { Language } from './language.js';
import { TooCostly } from './syntax-problem.js';

/** Each level of lists and quotes is parsed again on each line; real pages are far less deep. */
const MOST_COLUMNS = 100;
/** Characters that micromark moves again for lists that end and underlined headings. */
const MOST_READ_AGAIN = 100_000_000;

interface Spent {
  readAgain: number;
  /** Where the last list or quote started: the parser tries it twice. */
  offset: number;
}

/** Throws while a page is parsed whose lists and headings would take minutes. */
export function blockBudget(): Language {
  const spentIn = new WeakMap<ParserContext['parser'], Spent>();
  const spend = (context: ParserContext) => {
    const { line, column, offset } = context.now();
    const spent = spentIn.get(context.parser) ?? { readAgain: 0, offset: -1 };
    spentIn.set(context.parser, spent);
    if (offset !== spent.offset) spent.readAgain += offset;
    spent.offset = offset;
    if (spent.readAgain > MOST_READ_AGAIN)
      throw new TooCostly('too many lists or underlined headings in a row', line, column);
  };
  const enterContainer = (context: ParserContext) => {
    const { line, column } = context.now();
    if (column > MOST_COLUMNS) throw new TooCostly('lists and quotes are nested too deeply', line, column);
    spend(context);
  };
  const document = observing('>*+-0123456789', atEach(enterContainer));
  const flow = observing('-=', atEach(spend));
  return { syntax: [{ document, flow }], tree: [] };
}
