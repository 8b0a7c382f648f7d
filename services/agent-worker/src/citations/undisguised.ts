import { LONGEST_ENTITY, readEntity, type Entity } from './entities.js';

const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Mn}|\p{Me}/u;
/** The square brackets of other scripts and of mathematics, as pairs. */
const LOOK_ALIKES = '［］【】〔〕〖〗〚〛﹝﹞❲❳⟦⟧⟬⟭⦋⦌⁅⁆';
const brackets = new Map(Array.from(LOOK_ALIKES, (bracket, i) => [bracket, i % 2 === 0 ? '[' : ']']));

/** The brackets that can open a marker. */
export const OPENING = `[${Array.from(LOOK_ALIKES)
  .filter((bracket) => brackets.get(bracket) === '[')
  .join('')}`;

/** A text as a reader sees it, and for each of its characters the index in the original where that character ends. */
export interface Undisguised {
  text: string;
  ends: readonly number[];
}

/**
 * Decodes entities, removes invisible and combining characters, and replaces the brackets and digits of all scripts by
 * those of ASCII.
 */
export function undisguised(original: string): Undisguised {
  let text = '';
  const ends: number[] = [];
  let end = 0;
  while (end < original.length) {
    const { length, seen } = nextSeen(original.slice(end, end + LONGEST_ENTITY));
    end += length;
    text += seen;
    for (let i = 0; i < seen.length; i += 1) ends.push(end);
  }
  return { text, ends };
}

function nextSeen(text: string): { length: number; seen: string } {
  const entity = text.startsWith('&') ? readEntity(text) : undefined;
  if (typeof entity !== 'object') {
    const character = String.fromCodePoint(text.codePointAt(0) ?? 0);
    return { length: character.length, seen: asSeen(character) };
  }
  // A line break within a text is shown as a blank.
  const seen = Array.from(entity.text, asSeen).join('').replaceAll('\n', ' ');
  return { length: entity.length, seen };
}

/** Whether the entity stands for a bracket that can open a marker. */
export const opensBracket = ({ text }: Entity): boolean => /^[[(]$/.test(asSeen(text));

/** What a reader sees of one character. */
export function asSeen(character: string): string {
  if (character <= '\u007F') return character;
  if (invisible.test(character)) return '';
  const digits = /\p{N}/u.test(character) ? digitsOf(character) : '';
  return digits || (brackets.get(character) ?? character);
}

function digitsOf(character: string): string {
  const plain = character.normalize('NFKC');
  if (/^\d+$/.test(plain)) return plain;
  // In Unicode the ten digits of a script are consecutive and start with its zero.
  if (!/\p{Nd}/u.test(character)) return '';
  const code = character.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}
