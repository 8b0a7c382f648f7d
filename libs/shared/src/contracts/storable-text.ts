import { z } from 'zod';

/** Postgres stores neither NUL nor lone surrogates: they are refused, so that every accepted run can be stored. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (Array.isArray(value)) return value.every(isStorableJson);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).every(([key, item]) => isStorableText(key) && isStorableJson(item));
  }
  return true;
}

/** Whether objects and arrays are nested at most `levels` deep. */
export function isNestedWithin(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isNestedWithin(levels - 1, item));
}

export const storableString = () =>
  z.string().refine(isStorableText, { error: 'must not contain NUL characters or lone surrogates' });

/** Length in code points, as in JSON Schema. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
