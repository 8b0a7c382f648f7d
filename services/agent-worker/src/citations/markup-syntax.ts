import type { Entity } from './entities.js';

const LONGEST_LINK = 600;
const LONGEST_LINK_TEXT = 200;
const LONGEST_AUTOLINK = 400;
const LONGEST_DOMAIN = 100;

/** A link or an image as a model wrote it. */
export interface Link {
  length: number;
  text: string;
  address: string;
}

type Reading<T> = T | 'unfinished' | undefined;

const codeSpan = '(?<!`)`[^`[\\]\\n]+`(?!`)';
const lineBreak = String.raw`\n(?![ \t>]*(?:\n|$))`;
const plain = String.raw`[^[\]\\\n\`]|\\[^\n]|${lineBreak}|${codeSpan}`;
const nested = String.raw`(?:${plain}|\[(?:${plain}|\[(?:${plain})*\])*\])*`;
const linkText = new RegExp(String.raw`^\[(${nested})\]\(`);
const blanks = String.raw`[ \t]*(?:\n[ \t>]*)?`;
const destination = String.raw`(?:<((?:[^<>\\\n]|\\[^\n])*)>|((?:\\[^\s]|[^\s()\\<]|\((?:\\[^\s]|[^\s()\\]|\([^\s()]*\))*\))(?:\\[^\s]|[^\s()\\]|\((?:\\[^\s]|[^\s()\\]|\([^\s()]*\))*\))*))`;
const title = String.raw`(?:"(?:[^"\\\n]|\\.|${lineBreak})*"|'(?:[^'\\\n]|\\.|${lineBreak})*'|\((?:[^()\\\n]|\\.|${lineBreak})*\))`;
const target = new RegExp(
  String.raw`^\(${blanks}(?:${destination}(?:${blanks}(?<=\s)${title})?)?${blanks}\)`,
);

const dent = String.raw`(?:[ \t]*\n[\s>]*)`;
/** Words after the address, where a link target can have nothing but a title. */
const noTarget = new RegExp(
  String.raw`^\((?:${dent}(?![>])|[^\S\n]*)(?:<[^<>\n]*>|[^\s<]\S*)(?:[^\S\n]+[^\s"'()]|${dent}[^\s"'()>])`,
);

/** Reads the link at the start of a text that starts with `[`. Undefined also for one too long to be held back. */
export function readLink(text: string): Reading<Link> {
  const start = text.slice(0, LONGEST_LINK);
  const begun = linkText.exec(start.slice(0, LONGEST_LINK_TEXT));
  if (!begun) return start.length < LONGEST_LINK_TEXT && mayBecomeLink(start) ? 'unfinished' : undefined;
  const found = readDestination(start.slice(begun[0].length - 1));
  if (found === undefined) {
    const isOver = endsParagraph(start) || noTarget.test(start.slice(begun[0].length - 1));
    return start.length < LONGEST_LINK && !isOver ? 'unfinished' : undefined;
  }
  return { length: begun[0].length - 1 + found.length, text: begun[1] ?? '', address: found.address };
}

/** Reads the address in the round brackets after a link's text. */
function readDestination(text: string): { length: number; address: string } | undefined {
  const found = target.exec(text);
  if (!found || endsParagraph(found[0])) return undefined;
  return { length: found[0].length, address: found[1] ?? found[2] ?? '' };
}

/** Whether the brackets are still open, or closed by the last character. */
function mayBecomeLink(text: string): boolean {
  if (endsParagraph(text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    if (character === '[') depth += 1;
    if (character === ']') depth -= 1;
    if (depth === 0) return at === text.length - 1;
  }
  return true;
}

const endsParagraph = (text: string): boolean => /\n[ \t>]*\n/.test(text);

const autolink = /^<((?:[a-z][a-z\d+.-]{1,31}:[^\s<>`]*)|(?:[^\s<>`@/!?]+@[^\s<>`]+))>/i;
const unfinishedAutolink = /^<(?:[a-z][a-z\d+.-]*(?::[^\s<>`]*)?|[^\s<>`@/!?]+(?:@[^\s<>`]*)?)$/i;

/** Reads the address of an autolink such as `<https://example.org>` at the start of the text. */
export function readAutolink(text: string): Reading<string> {
  const start = text.slice(0, LONGEST_AUTOLINK);
  const found = autolink.exec(start)?.[1];
  if (found !== undefined) return found;
  return start.length < LONGEST_AUTOLINK && unfinishedAutolink.test(start) ? 'unfinished' : undefined;
}

/** Follows a `<` that is a mere sign, as in `a < b`. */
export const leavesSign = /^[\s\d=<>-]/;
/** Follows the `<` of a tag, a comment or a declaration. */
export const beginsTag = /^[a-z/!?]/i;

/** Whether an entity stands for a character of an address or a marker, which it would hide. */
export const hidesSyntax = ({ text }: Entity): boolean => /[\w:/.@+\\[\]()#-]/.test(text);

const ipv6 = /^\[[\da-f.]*:[\da-f:.]*\]/i;
const unfinishedIpv6 = /^\[[\da-f:.]{0,45}$/i;

/** Length of the host at the start of the text, such as `[2001:db8::1]`. */
export const readIpv6 = (text: string): number | 'unfinished' | undefined =>
  ipv6.exec(text.slice(0, LONGEST_DOMAIN))?.[0].length ??
  (unfinishedIpv6.test(text) ? 'unfinished' : undefined);

const openings = ['http://', 'https://', 'ftp://', 'www.'];
const opening = /^(?:(?:https?|ftp)\\?:\\?\/\\?\/|www\\?\.)/i;

/** Length of the start of a bare address, such as `https://`, at the start of the text; 0 if there is none. */
export const readOpening = (text: string): number => opening.exec(text)?.[0].length ?? 0;

/** Length of the end of a text that may still become the start of a bare address. */
export function unfinishedOpening(text: string): number {
  const end = /[a-z:/\\]*$/i.exec(text.slice(-16))?.[0] ?? '';
  for (let length = end.length; length > 0; length -= 1) {
    const tail = end.slice(-length);
    const before = text.charAt(text.length - length - 1);
    const letters = tail.replaceAll('\\', '').toLowerCase();
    const isBegun =
      /^[a-z]/i.test(tail) && openings.some((each) => each !== letters && each.startsWith(letters));
    if (isBegun && !/[a-z]/i.test(before)) return length;
  }
  return 0;
}

const innerOpening = /(?:(?:https?|ftp):|www\.)/gi;

/** Indexes of the `:` or `.` that starts an address directly after letters, as in `seehttps://`. */
export function* innerOpenings(text: string): Generator<number> {
  for (const { 0: found, index } of text.matchAll(innerOpening)) yield index + found.length - 1;
}

/** Whether `text` continues the shown letters to an address: some renderers link it also within a word. */
export function opensInner(shown: string, text: string): boolean | 'unfinished' {
  if (text.startsWith('.'))
    return /www$/i.test(shown) && (text.length === 1 ? 'unfinished' : /^\.[\w-]/.test(text));
  if (!/(?:https?|ftp)$/i.test(shown)) return false;
  return text.startsWith('://') || ('://'.startsWith(text) && 'unfinished');
}

const domain = /^@[-\w\\]*\.[-\w.\\]*\w/;

/** Length of the domain of an e-mail address in a text that starts with `@`. */
export function readDomain(text: string, final: boolean): number | 'unfinished' {
  const start = text.slice(0, LONGEST_DOMAIN);
  if (!final && start.length < LONGEST_DOMAIN && /^@[-\w.\\]*$/.test(start)) return 'unfinished';
  return domain.exec(start)?.[0].length ?? 0;
}

/** The first character after a bare address. */
export const addressEnd = /[\s<`|[\]$]/;
/** Punctuation at the end of an address, which belongs to the sentence. */
export const trailingPunctuation = /[.,:;!?)'"*_~}>\\]{1,20}$/;

const openAddress = /(?:(?:https?|ftp)\\?:\\?\/\\?\/|www\\?\.)[^\s`<|]*$/i;
const openDomain = /[\w.+-]\\?@[-\w.\\]*$/;

/** Whether `next` continues letters at the end of the shown text, also within a word, to the start of an address. */
function continuesOpening(shown: string, next: string): boolean {
  const letters = (/[a-z:/\\]*$/i.exec(shown.slice(-16))?.[0] ?? '').replaceAll('\\', '').toLowerCase();
  const first = next.charAt(0).toLowerCase();
  return Array.from(letters, (_, from) => letters.slice(from)).some((begun) =>
    openings.some((each) => each.startsWith(begun) && (first === '\\' || each.startsWith(begun + first))),
  );
}

/** Whether `next`, directly after the shown text, would continue an address. */
export function joinsAddress(shown: string, next: string): boolean {
  if (/^\s/.test(next)) return false;
  if (openAddress.test(shown)) return true;
  if (openDomain.test(shown) && /^[-\w.\\]/.test(next)) return true;
  return continuesOpening(shown, next);
}
