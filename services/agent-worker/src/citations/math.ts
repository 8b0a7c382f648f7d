const LONGEST_FORMULA = 120;
const content = String.raw`(?:[^$\n\`\\]|\\[^\n])`;
const formula = new RegExp(String.raw`^(\$\$?)(?![\s\d$])${content}*(?<!\s)\1`);
const unfinished = new RegExp(String.raw`^\$(?:\$?(?![\s\d$])${content}*(?:\\|\$)?)?$`);

/** Whether a text begins with a formula between dollar signs. A price does not: a digit opens no formula. */
export function readFormula(text: string): boolean | 'unfinished' {
  const start = text.slice(0, LONGEST_FORMULA);
  const found = formula.exec(start)?.[0].length;
  if (found !== undefined && found < start.length) return !/\d/.test(start.charAt(found));
  return start.length < LONGEST_FORMULA && unfinished.test(start) ? 'unfinished' : found !== undefined;
}
