/** C0 except tab and line feed, DEL and C1: every start of an escape sequence is among them. */
const controls = '\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F';
/** Change the order in which text is shown. */
const directions = '\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';
const unwanted = new RegExp(`[${controls}${directions}]`, 'g');
const hiddenInJson = new RegExp(`[\\u007F-\\u009F${directions}]`, 'g');

/** Text from a book or a model without control characters, which a terminal would obey. */
export const plainText = (text: string): string => text.replaceAll(unwanted, '');

/** The same on one line. */
export const plainLine = (text: string): string => plainText(text.replaceAll(/\s+/g, ' ')).trim();

/** JSON of the same value in which control characters are escaped. */
export const plainJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(
    hiddenInJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
