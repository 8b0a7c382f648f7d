/** What is longer, or goes on over the end of the line, is taken for text. */
export const LONGEST_CODE_SPAN = 400;

/** Length of the code span that `run` opens at the beginning of the line; 0 if the line does not close it. */
export function codeSpanLength(line: string, run: string): number {
  for (const match of line.slice(run.length).matchAll(/`+/g)) {
    if (match[0].length === run.length) return run.length + match.index + run.length;
  }
  return 0;
}

const openBar = /(?<!\\)((?:\\\\)*)\|/g;

export const hasBar = (code: string): boolean => code.search(openBar) >= 0;
/** As a table's cell has to hold it: a bar ends the cell even within code. */
export const withEscapedBars = (code: string): string => code.replaceAll(openBar, String.raw`$1\|`);

/**
 * Whether a link could end in a code span: some parsers end the span at a run of backticks of another length, or take
 * brackets that one of the two opens or closes for a pair.
 */
export const hidesTarget = (code: string, inBracket: boolean): boolean =>
  code.includes('](') && (inBracket || /^``|[^`]`+[^`]/.test(code));
