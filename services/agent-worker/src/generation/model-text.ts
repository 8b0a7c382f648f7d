/** Blanks, control and format characters, those that are drawn as nothing, and the empty Braille pattern. */
const invisible = /^[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export const hasVisibleText = (text: string): boolean => !invisible.test(text);

/** Removes NUL, which Postgres refuses, and replaces lone surrogates, which UTF-8 cannot hold, by U+FFFD. */
export const storable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** Removes the quotation marks that models put around a line. */
export const unquoted = (line: string): string => line.replace(/^["'“‘«]+|["'”’»]+$/g, '').trim();

const endsInHalfAPair = /[\uD800-\uDBFF]$/;

/** Makes a streamed text storable. A surrogate pair that is cut in two is held back until it is whole. */
export class StorablePieces {
  private held = '';

  push(piece: string): string {
    const text = this.held + piece;
    this.held = endsInHalfAPair.test(text) ? text.slice(-1) : '';
    return storable(this.held ? text.slice(0, -1) : text);
  }

  end(): string {
    return storable(this.held);
  }
}
