import { decodeNamedCharacterReference } from 'decode-named-character-reference';

export const LONGEST_ENTITY = 34;
const entity = /^&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]*));/i;
const unfinishedEntity = /&(?:#\d{0,7}|#x[\da-f]{0,6}|[a-z][a-z\d]*)?$/i;

/** An entity such as `&nbsp;` and the characters that a renderer shows for it. */
export interface Entity {
  length: number;
  text: string;
}

/** Reads the entity at the start of a text that starts with `&`. */
export function readEntity(text: string): Entity | 'unfinished' | undefined {
  const start = text.slice(0, LONGEST_ENTITY);
  const [whole, decimal, hexadecimal, name = ''] = entity.exec(start) ?? [];
  if (whole === undefined) return unfinishedEntityLength(start) === text.length ? 'unfinished' : undefined;
  const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal);
  const shown = Number.isNaN(code) ? decodeNamedCharacterReference(name) : characterOf(code);
  return shown === false ? undefined : { length: whole.length, text: shown };
}

/** Length of the end of a text that may still become an entity. */
export function unfinishedEntityLength(text: string): number {
  const length = unfinishedEntity.exec(text.slice(-LONGEST_ENTITY))?.[0].length ?? 0;
  return length < LONGEST_ENTITY ? length : 0;
}

const characterOf = (code: number): string =>
  code === 0 || code > 0x10_ff_ff ? '\uFFFD' : String.fromCodePoint(code);
