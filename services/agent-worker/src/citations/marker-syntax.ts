import { unfinishedEntityLength } from './entities.js';
import { undisguised } from './undisguised.js';

/** The longest marker that is recognized, and so the most text that an unfinished one holds back. */
export const LONGEST_MARKER = 120;
const LONGEST_TARGET = 400;
const LONGEST_RANGE = 50;

/** A marker as a model wrote it, such as `[1]`, `[2, 3-5]`, `【1†source】` or `(Source 2)`. */
export interface Marker {
  length: number;
  /** Passage numbers; none for words such as `[Source: the introduction]`. */
  numbers: number[];
  /** The marker precedes the text it belongs to, so that the blanks before it stay if it is dropped. */
  opens?: true;
  /** Numbers without a word, which may also be an index or a list of values. */
  isBare?: true;
}

// The patterns are applied to text as a reader sees it (`undisguised.ts`), where all brackets are square.
// No pattern matches a line break or a backtick: dropping a marker then never changes what is code.
const blank = String.raw`[^\S\n]*`;
const word = String.raw`(?:sources?|passages?|cite|citations?|references?|refs?\.?)(?![a-z])`;
const dash = String.raw`(?:[-–—‐‑‒−]|\.{2,3}|…|to)`;
// `[**7**]` and `[~7~]` read as `[7]`, `[2*3]` and `[~5]` do not.
const emphasis = String.raw`(?:[*_]|~(?=[^\]\n]*~))*`;
const emphasisEnd = String.raw`[*_~]*(?![*_~\d])`;
const wordEnd = String.raw`[*_~]*(?![*_~])`;
const digits = String.raw`\d+(?!\d)${emphasisEnd}`;
const number = String.raw`${emphasis}[#^]?${digits}(?:${blank}${dash}${blank}${emphasis}${digits})?`;
// Each blank matches in one way only; otherwise the time to match would grow exponentially.
const namedNumber = `(?:${emphasis}${word}${wordEnd}${blank}(?::${wordEnd}${blank})?)?${number}`;
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
  String.raw`^\[${blank}${emphasis}${word}${wordEnd}${blank}(:${wordEnd}${blank})?(?:${namedNumbers})?${withBrackets}\]`,
  'i',
);
/** Gemini writes it before a cited passage of text. */
const startMarker = /^\[cite_start\]/i;

const unclosed = new RegExp(String.raw`^\[${withBrackets}(?:\[${withoutBrackets}*)?$`);
const unfinishedNumbers = /^\[[\s[#^*_~]*(?:\d[\d\s,;&，、#^*_~:[\]\\–—‐‑‒−.…andto-]*(?:†.*)?)?$/i;
const unfinishedWords = new RegExp(String.raw`^\[[\s*_~]*${word}[\s*_~]*(?:[:#^[\d].*)?$`, 'i');
const firstLetters = /^[[(][\s*_~]*([a-z][a-z_]*)?$/i;
const openingWords = ['sources', 'passages', 'cite_start', 'citations', 'references', 'refs.'];

/** In round brackets only a number with a word is a marker: alone it is a count, a year, an argument or a list item. */
const roundMarker = new RegExp(
  String.raw`^\(${blank}${emphasis}${word}${wordEnd}${blank}(?::${wordEnd}${blank})?(${list(namedNumber)})${blank}\)`,
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
 * Reads the marker at the start of a text that starts with a bracket. Returns `unfinished` if more text is needed to
 * decide, `endless` for a list of numbers longer than any marker, and undefined for an ordinary bracket. More text
 * changes the result only if it was `unfinished`.
 */
export function readMarker(text: string): Marker | 'unfinished' | 'endless' | undefined {
  const start = text.slice(0, LONGEST_MARKER);
  const { text: seen, ends } = undisguised(start);
  const marker = seen.startsWith('(') ? readRound(seen) : readSquare(seen);
  if (marker) return { ...marker, length: ends[marker.length - 1] ?? marker.length };
  if (!mayBegin(undisguised(start.slice(0, start.length - unfinishedEntityLength(start))).text))
    return undefined;
  if (start.length < LONGEST_MARKER) return 'unfinished';
  return unfinishedNumbers.test(seen) ? 'endless' : undefined;
}

function readSquare(seen: string): Marker | undefined {
  const plain = numberMarker.exec(seen);
  if (plain) {
    const numbers = numbersIn(plain[1] ?? '');
    // Passages are numbered from 1: `[0, 1]` and `[0-9]` are intervals or character classes.
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

/** Whether the text may be the start of a marker. */
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
 * Whether a number in brackets after this text is an index, as in `x[1]` or `arr[2]`. Models also write citations
 * directly after words, so only single small letters and common short names count. The bracket may be escaped.
 */
export const endsInIndexed = (text: string): boolean => indexed.test(text);
/** Whether a list in brackets after this text is a value, as in `v = [1, 2]`. */
export const endsInOperator = (text: string): boolean => operator.test(text);

/** Length of the link target, such as `(https://example.org "Title")`, at the start of the text. */
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
