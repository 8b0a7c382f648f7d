/** Characters that may precede a sign at the start of a text: blanks, emphasis, code and quotation marks. */
const decoration = /^[\s*_`"'“”„‘’«»>]*$/;
/** Replaces a removed sign if the text around it would otherwise form another one. */
const OMISSION = '…';

/**
 * Removes signs from a streamed text, ignoring case: words such as `<not_in_the_book/>` that are meant for the program
 * and not for the reader. Only text that may still become a sign is held back. The output does not depend on how the
 * text is cut into pieces.
 */
export class SignFilter {
  private readonly found = new Set<string>();
  /** Longest first: of two signs that start at the same index the longer one matches. */
  private readonly signs: readonly { sign: string; folded: string }[];
  private readonly anySign: RegExp;
  private readonly longest: number;
  private first: string | undefined;
  private held = '';
  private tail = '';
  private hasText = false;
  private afterSign = false;

  constructor(signs: readonly string[]) {
    this.signs = signs
      .map((sign) => ({ sign, folded: fold(sign) }))
      .toSorted((a, b) => b.folded.length - a.folded.length);
    const patterns = this.signs.map(({ folded }) => folded.replaceAll(/\W/g, String.raw`\$&`));
    this.anySign = new RegExp(patterns.join('|') || '(?!)', 'g');
    this.longest = this.signs[0]?.folded.length ?? 1;
  }

  /** The signs removed so far. */
  get seen(): ReadonlySet<string> {
    return this.found;
  }

  /** The sign at the start of the text, after blanks and Markdown decoration only. */
  get opening(): string | undefined {
    return this.first;
  }

  /** Returns what can be shown after the next piece. */
  push(text: string): string {
    this.held += text;
    return this.release(false);
  }

  /** The text is complete: returns what was held back. */
  end(): string {
    return this.release(true);
  }

  private release(final: boolean): string {
    const { held } = this;
    const folded = fold(held);
    let out = '';
    let at = 0;
    for (;;) {
      const decided = final ? folded.length : this.unfinishedStart(folded, at);
      this.anySign.lastIndex = at;
      const next = this.anySign.exec(folded);
      if (!next || next.index >= decided) {
        this.held = held.slice(decided);
        return out + this.show(held.slice(at, decided));
      }
      out += this.show(held.slice(at, next.index));
      at = this.anySign.lastIndex;
      this.remove(next[0]);
    }
  }

  private remove(folded: string): void {
    const sign = this.signs.find((each) => each.folded === folded)?.sign ?? folded;
    this.afterSign = true;
    this.found.add(sign);
    if (!this.hasText) this.first ??= sign;
  }

  /** Index of the longest end of the text, from `at` on, that may still become a sign. */
  private unfinishedStart(folded: string, at: number): number {
    let start = Math.max(at, folded.length - this.longest + 1);
    while (start < folded.length && !this.begins(folded.slice(start))) start += 1;
    return start;
  }

  private begins(folded: string): boolean {
    return this.signs.some((each) => each.folded.length > folded.length && each.folded.startsWith(folded));
  }

  private show(text: string): string {
    if (text === '') return '';
    const joins = this.afterSign && this.continuesSign(fold(text.charAt(0)));
    const shown = joins ? OMISSION + text : text;
    this.afterSign = false;
    this.tail = (this.tail + fold(shown)).slice(-this.longest);
    this.hasText ||= !decoration.test(text);
    return shown;
  }

  /** Whether the shown text ends with the start of a sign that this character continues. */
  private continuesSign(next: string): boolean {
    for (let start = 0; start < this.tail.length; start += 1) {
      const joined = this.tail.slice(start) + next;
      if (this.signs.some((each) => each.folded.startsWith(joined))) return true;
    }
    return false;
  }
}

// Only ASCII letters, whose length stays the same, so that indexes in the folded text are indexes in the text.
function fold(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
