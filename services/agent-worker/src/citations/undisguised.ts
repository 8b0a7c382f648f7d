const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cf}/u;
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

/** Removes invisible characters and replaces the brackets and digits of all scripts by those of ASCII. */
export function undisguised(original: string): Undisguised {
  let text = '';
  const ends: number[] = [];
  let end = 0;
  for (const character of original) {
    end += character.length;
    const seen = asSeen(character);
    text += seen;
    for (let i = 0; i < seen.length; i += 1) ends.push(end);
  }
  return { text, ends };
}

function asSeen(character: string): string {
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
