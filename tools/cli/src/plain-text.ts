/** C0 but for tab and line feed, DEL and C1: among them everything that begins an escape sequence. */
const controls = '\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F';
/** They make text read in another order than it is written. */
const directions = '\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';
const unwanted = new RegExp(`[${controls}${directions}]`, 'g');
const unseenInJson = new RegExp(`[\\u007F-\\u009F${directions}]`, 'g');

/** Text from a book or a model, without anything that a terminal would obey. */
export const plainText = (text: string): string => text.replaceAll(unwanted, '');

/** The same on one line. */
export const plainLine = (text: string): string => plainText(text.replaceAll(/\s+/g, ' ')).trim();

/** JSON that means the same and that a terminal shows as it is. */
export const plainJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(
    unseenInJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
