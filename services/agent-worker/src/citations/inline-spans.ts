/** A longer code span, or one that continues on the next line, is treated as text. */
export const LONGEST_CODE_SPAN = 400;

/** Length of the code span that the backticks `run` open at the start of the line; 0 if the line does not close it. */
export function codeSpanLength(line: string, run: string): number {
  for (const match of line.slice(run.length).matchAll(/`+/g)) {
    if (match[0].length === run.length) return run.length + match.index + run.length;
  }
  return 0;
}

const openBar = /(?<!\\)((?:\\\\)*)\|/g;

export const hasBar = (code: string): boolean => code.search(openBar) >= 0;
/** For code in a table, where a bar ends the cell even within code. */
export const withEscapedBars = (code: string): string => code.replaceAll(openBar, String.raw`$1\|`);

/**
 * Whether some parsers may find the end of a link, `](`, in this code span: they end the span at a run of backticks of
 * another length, or pair a bracket before the span with one inside it.
 */
export const hidesTarget = (code: string, inBracket: boolean): boolean =>
  code.includes('](') && (inBracket || /^``|[^`]`+[^`]/.test(code));

const LONGEST_FORMULA = 120;
const formulaContent = String.raw`(?:[^$\n\`\\]|\\[^\n])`;
const formula = new RegExp(String.raw`^(\$\$?)(?![\s\d$])${formulaContent}*(?<!\s)\1`);
const unfinishedFormula = new RegExp(String.raw`^\$(?:\$?(?![\s\d$])${formulaContent}*(?:\\|\$)?)?$`);

/** Whether the text starts with a formula such as `$x[1]$`. `$5` starts none: no digit may follow the dollar sign. */
export function readFormula(text: string, final: boolean): boolean | 'unfinished' {
  const start = text.slice(0, LONGEST_FORMULA);
  const found = formula.exec(start)?.[0].length;
  if (found !== undefined && (final || found < start.length)) return !/\d/.test(start.charAt(found));
  return start.length < LONGEST_FORMULA && unfinishedFormula.test(start) ? 'unfinished' : found !== undefined;
}
