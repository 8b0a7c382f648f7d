import { undisguised } from './undisguised.js';

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
  /** It has no word, so that it may be an index or a list of values instead. */
  isBare?: true;
}

// Markers are read as a reader sees them (`undisguised.ts`): all brackets are square there.
// Markers hold neither line breaks nor backticks: what is code can then be told line by line, dropped markers or not.
const blank = String.raw`[^\S\n]*`;
const word = String.raw`(?:sources?|passages?|cite|citations?|references?|refs?\.?)`;
const dash = String.raw`(?:[-–—‐‑‒−]|\.{2,3}|…|to)`;
// `[**7**]` and `[~7~]` read as `[7]`, `[2*3]` and `[~5]` do not.
const emphasis = String.raw`(?:[*_]|~(?=[^\]\n]*~))*`;
const emphasisEnd = String.raw`[*_~]*(?![*_~\d])`;
const digits = String.raw`\d+(?!\d)${emphasisEnd}`;
const number = String.raw`${emphasis}[#^]?${digits}(?:${blank}${dash}${blank}${emphasis}${digits})?`;
// One way to read each blank: two in a row would be tried in all combinations.
const namedNumber = `(?:${emphasis}${word}${emphasisEnd}${blank}(?::${emphasisEnd}${blank})?)?${number}`;
const join = `${blank}(?:[,;&，、]${blank})?(?:and${blank})?`;
const close = String.raw`\\?\]`;
const withoutBrackets = '[^[\\]`\\n]';
const withBrackets = String.raw`(?:${withoutBrackets}|\[${withoutBrackets}*\])*`;

const list = (item: string) => `${item}(?:${join}${item})*`;
const nestedList = (item: string) => list(String.raw`(?:${item}|\[${blank}${list(item)}${blank}\\?\])`);

const numberMarker = new RegExp(
  String.raw`^\[${blank}(${nestedList(number)})${blank}(?:(?::\d+)?†${withoutBrackets}*)?${close}`,
  'i',
);
const namedNumbers = String.raw`(${nestedList(namedNumber)})${blank}(?=[\]\\,:;|†]|[-–—]\s)`;
const wordMarker = new RegExp(
  String.raw`^\[${blank}${emphasis}${word}${emphasisEnd}${blank}(:${emphasisEnd}${blank})?(?:${namedNumbers})?${withBrackets}\]`,
  'i',
);
/** Gemini opens a cited stretch with it. */
const startMarker = /^\[cite_start\]/i;

const unclosed = new RegExp(String.raw`^\[${withBrackets}(?:\[${withoutBrackets}*)?$`);
const unfinishedNumbers = /^\[[\s[#^*_~]*(?:\d[\d\s,;&，、#^*_~:[\]\\–—‐‑‒−.…andto-]*(?:†.*)?)?$/i;
const unfinishedWords = new RegExp(String.raw`^\[[\s*_~]*${word}[\s*_~]*(?:[:#^[\d].*)?$`, 'i');
const firstLetters = /^[[(][\s*_~]*([a-z][a-z_]*)?$/i;
const openingWords = ['sources', 'passages', 'cite_start', 'citations', 'references', 'refs.'];

/** Only a word makes a number in round brackets a citation: alone it is a count, a year, an argument or an item. */
const roundMarker = new RegExp(
  String.raw`^\(${blank}${emphasis}${word}${emphasisEnd}${blank}(?::${emphasisEnd}${blank})?(${list(namedNumber)})${blank}\)`,
  'i',
);
const unfinishedRound = new RegExp(
  String.raw`^\([\s*_~]*${word}[\s*_~]*(?::[\s*_~]*)?(?:[#^\d][\d\s,;&，、#^*_~:–—‐‑‒−.…a-z-]*)?$`,
  'i',
);

const target = /^\((?:[^\s()`]|\([^\s()`]*\))*(?:[ \t]+(?:"[^"\n`]*"|'[^'\n`]*'))?[ \t]*\)/;
const unfinishedTarget =
  /^\((?:[^\s()`]|\([^\s()`]*\))*(?:\([^\s()`]*)?(?:[ \t]+(?:"[^"\n`]*"?|'[^'\n`]*'?)?)?[ \t]*$/;

/**
 * The marker that a text which begins with a bracket begins with. `endless`: only what a marker is made of, but
 * longer than any; undefined: an ordinary bracket. More text never changes an answer other than `unfinished`.
 */
export function readMarker(text: string): Marker | 'unfinished' | 'endless' | undefined {
  const start = text.slice(0, LONGEST_MARKER);
  const { text: seen, ends } = undisguised(start);
  const marker = seen.startsWith('(') ? readRound(seen) : readSquare(seen);
  if (marker) return { ...marker, length: ends[marker.length - 1] ?? marker.length };
  if (!mayBegin(seen)) return undefined;
  if (start.length < LONGEST_MARKER) return 'unfinished';
  return unfinishedNumbers.test(seen) ? 'endless' : undefined;
}

function readSquare(seen: string): Marker | undefined {
  const plain = numberMarker.exec(seen);
  if (plain) {
    const numbers = numbersIn(plain[1] ?? '');
    // Passages are counted from 1: `[0, 1]` and `[0-9]` are intervals and the like.
    if (numbers.length > 1 && numbers.includes(0)) return undefined;
    return { length: plain[0].length, numbers, isBare: true };
  }
  const words = wordMarker.exec(seen);
  if (words && (words[1] !== undefined || words[2] !== undefined)) {
    return { length: words[0].length, numbers: numbersIn(words[2] ?? '') };
  }
  const bare = startMarker.exec(seen);
  return bare ? { length: bare[0].length, numbers: [], opens: true } : undefined;
}

function readRound(seen: string): Marker | undefined {
  const found = roundMarker.exec(seen);
  return found ? { length: found[0].length, numbers: numbersIn(found[1] ?? '') } : undefined;
}

/** Whether a marker may begin like this. */
export function mayBecomeMarker(text: string): boolean {
  return mayBegin(undisguised(text).text);
}

function mayBegin(seen: string): boolean {
  const letters = firstLetters.exec(seen);
  if (letters) {
    const [, begun = ''] = letters;
    return openingWords.some((opening) => opening.startsWith(begun.toLowerCase()));
  }
  if (seen.startsWith('(')) return unfinishedRound.test(seen);
  return unclosed.test(seen) && (unfinishedNumbers.test(seen) || unfinishedWords.test(seen));
}

const indexed = /(?<=^|[\s$(=+,{|])(?:[a-z]\d?|arr|args|argv|buf|elem|ptr|str|tmp|vec)(?:\[\d+\])*\\?$/u;
const operator = /[=∈∉⊂⊆∪∩×][ \t]*$/;

/**
 * Whether a number in brackets behind this text is an index. Models set citations directly behind words, too, so only
 * what is no word of prose counts: a small letter, or one of the usual short names. The bracket may be escaped.
 */
export const endsInIndexed = (text: string): boolean => indexed.test(text);
/** Whether a list in brackets behind this text is a value. */
export const endsInOperator = (text: string): boolean => operator.test(text);

/** Length of the link target, such as `(https://example.org "Title")`, that a text begins with, if it does. */
export function readTarget(text: string): number | 'unfinished' | undefined {
  const start = text.slice(0, LONGEST_TARGET);
  const found = target.exec(start);
  if (found) return found[0].length;
  return start.length < LONGEST_TARGET && unfinishedTarget.test(start) ? 'unfinished' : undefined;
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/(\d+)(?:\s*(?:[-–—‐‑‒−]|\.{2,3}|…|to)\s*(\d+))?/gi)].flatMap(([, from, to]) =>
    range(Number(from), Number(to)),
  );
}

function range(from: number, to: number): number[] {
  if (!(to > from)) return Number.isNaN(to) ? [from] : [from, to];
  return Array.from({ length: Math.min(to - from + 1, LONGEST_RANGE) }, (_, i) => from + i);
}
