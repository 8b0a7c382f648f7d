/** The longest marker that is understood, and so the most that an unfinished one holds back. */
export const LONGEST_MARKER = 120;
const LONGEST_TARGET = 400;
const LONGEST_RANGE = 50;

/** A citation as a model wrote it. */
export interface Marker {
  length: number;
  /** The passages it names; none for words such as `[Source: the introduction]`. */
  numbers: number[];
  /** It stands in front of what it belongs to, so the blanks before it are not its own. */
  opens?: true;
}

// Markers hold neither line breaks nor backticks: what is code can then be told line by line, dropped markers or not.
const blank = String.raw`[^\S\n]*`;
const word = '(?:sources?|passages?|cite|citations?|references?)';
const number = String.raw`[#^]?\d+(?!\d)(?:${blank}[-–—]${blank}\d+(?!\d))?`;
// One way to read each blank: two in a row would be tried in all combinations.
const namedNumber = `(?:${word}${blank}(?::${blank})?)?${number}`;
const join = `${blank}(?:[,;&，、]${blank})?(?:and${blank})?`;
const close = String.raw`\\?[\]】]`;
const withoutBrackets = '[^[\\]【】`\\n]';
const withBrackets = String.raw`(?:${withoutBrackets}|\[${withoutBrackets}*\])*`;

const list = (item: string) => `${item}(?:${join}${item})*`;
const nestedList = (item: string) => list(String.raw`(?:${item}|\[${blank}${list(item)}${blank}\\?\])`);

const numberMarker = new RegExp(
  String.raw`^[[【]${blank}(${nestedList(number)})${blank}(?:(?::\d+)?†${withoutBrackets}*)?${close}`,
  'i',
);
const namedNumbers = String.raw`(${nestedList(namedNumber)})${blank}(?=[\]】\\,:;|†]|[-–—]\s)`;
const wordMarker = new RegExp(
  String.raw`^[[【]${blank}${word}${blank}(:${blank})?(?:${namedNumbers})?${withBrackets}[\]】]`,
  'i',
);
/** Gemini opens a cited stretch with it. */
const startMarker = /^\[cite_start\]/i;

const unclosed = new RegExp(String.raw`^[[【]${withBrackets}(?:\[${withoutBrackets}*)?$`);
const unfinishedNumbers = /^[[【][\s[#^]*(?:\d[\d\s,;&，、#^:[\]\\–—and-]*(?:†.*)?)?$/i;
const unfinishedWords = new RegExp(String.raw`^[[【]\s*${word}\s*(?:[:#^[\d].*)?$`, 'i');
const firstLetters = /^[[【]\s*([a-z_]+)$/i;
const openingWords = ['sources', 'passages', 'cite_start', 'citations', 'references'];

const target = /^\((?:[^\s()`]|\([^\s()`]*\))*(?:[ \t]+(?:"[^"\n`]*"|'[^'\n`]*'))?[ \t]*\)/;
const unfinishedTarget =
  /^\((?:[^\s()`]|\([^\s()`]*\))*(?:\([^\s()`]*)?(?:[ \t]+(?:"[^"\n`]*"?|'[^'\n`]*'?)?)?[ \t]*$/;

/**
 * The marker that a text which begins with a bracket begins with. `endless`: only what a marker is made of, but
 * longer than any; undefined: an ordinary bracket. More text never changes an answer other than `unfinished`.
 */
export function readMarker(text: string): Marker | 'unfinished' | 'endless' | undefined {
  const start = text.slice(0, LONGEST_MARKER);
  const numbers = numberMarker.exec(start);
  if (numbers) return { length: numbers[0].length, numbers: numbersIn(numbers[1] ?? '') };
  const words = wordMarker.exec(start);
  if (words && (words[1] !== undefined || words[2] !== undefined)) {
    return { length: words[0].length, numbers: numbersIn(words[2] ?? '') };
  }
  const bare = startMarker.exec(start);
  if (bare) return { length: bare[0].length, numbers: [], opens: true };
  if (!mayBecomeMarker(start)) return undefined;
  if (start.length < LONGEST_MARKER) return 'unfinished';
  return unfinishedNumbers.test(start) ? 'endless' : undefined;
}

/** Whether a marker may begin like this. */
export function mayBecomeMarker(text: string): boolean {
  if (!unclosed.test(text)) return false;
  if (unfinishedNumbers.test(text) || unfinishedWords.test(text)) return true;
  const letters = firstLetters.exec(text)?.[1]?.toLowerCase();
  return letters !== undefined && openingWords.some((opening) => opening.startsWith(letters));
}

/** Length of the link target, such as `(https://example.org "Title")`, that a text begins with, if it does. */
export function readTarget(text: string): number | 'unfinished' | undefined {
  const start = text.slice(0, LONGEST_TARGET);
  const found = target.exec(start);
  if (found) return found[0].length;
  return start.length < LONGEST_TARGET && unfinishedTarget.test(start) ? 'unfinished' : undefined;
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/(\d+)(?:\s*[-–—]\s*(\d+))?/g)].flatMap(([, from, to]) =>
    range(Number(from), Number(to)),
  );
}

function range(from: number, to: number): number[] {
  if (!(to > from)) return Number.isNaN(to) ? [from] : [from, to];
  return Array.from({ length: Math.min(to - from + 1, LONGEST_RANGE) }, (_, i) => from + i);
}
