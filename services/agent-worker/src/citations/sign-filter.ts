/** What may surround a sign that opens a text: blanks, emphasis, code, quotes. */
const decoration = /^[\s*_`"'“”„‘’«»>]*$/;
/** Stands for a removed sign where the text around it would otherwise join up into another one. */
const OMISSION = '…';

/**
 * Removes signs that are meant for us, not for the reader, from a text while it streams, in whatever case they are
 * written. Only what may still become a sign is held back. The output does not depend on how the text is cut.
 */
export class SignFilter {
  private readonly found = new Set<string>();
  /** Longest first: of two signs that begin at one place, the longer is meant. */
  private readonly signs: readonly { sign: string; folded: string }[];
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
    this.longest = this.signs[0]?.folded.length ?? 1;
  }

  /** The signs removed so far. */
  get seen(): ReadonlySet<string> {
    return this.found;
  }

  /** The sign that the text begins with, but for blanks and Markdown decoration. */
  get opening(): string | undefined {
    return this.first;
  }

  /** Takes the next piece and gives back what can be shown. */
  push(text: string): string {
    this.held += text;
    return this.release(false);
  }

  /** The text is complete: gives back what was held. */
  end(): string {
    return this.release(true);
  }

  private release(final: boolean): string {
    let out = '';
    for (;;) {
      const folded = fold(this.held);
      const decided = final ? folded.length : this.unfinishedStart(folded);
      const next = this.firstSign(folded);
      if (!next || next.at >= decided) return out + this.show(decided);
      out += this.show(next.at);
      this.held = this.held.slice(next.folded.length);
      this.afterSign = true;
      this.found.add(next.sign);
      if (!this.hasText) this.first ??= next.sign;
    }
  }

  private firstSign(folded: string) {
    let first: { sign: string; folded: string; at: number } | undefined;
    for (const each of this.signs) {
      const at = folded.indexOf(each.folded);
      if (at >= 0 && at < (first?.at ?? Infinity)) first = { ...each, at };
    }
    return first;
  }

  /** Where the end of the text begins that may still become a sign. */
  private unfinishedStart(folded: string): number {
    let start = Math.max(0, folded.length - this.longest + 1);
    while (start < folded.length && !this.begins(folded.slice(start))) start += 1;
    return start;
  }

  private begins(folded: string): boolean {
    return this.signs.some((each) => each.folded.length > folded.length && each.folded.startsWith(folded));
  }

  private show(length: number): string {
    if (length === 0) return '';
    const text = this.held.slice(0, length);
    this.held = this.held.slice(length);
    const joins = this.afterSign && this.goesOn(fold(text.charAt(0)));
    const shown = joins ? OMISSION + text : text;
    this.afterSign = false;
    this.tail = (this.tail + fold(shown)).slice(-this.longest);
    this.hasText ||= !decoration.test(text);
    return shown;
  }

  /** Whether the text shown ends in the beginning of a sign that goes on with this character. */
  private goesOn(next: string): boolean {
    for (let start = 0; start < this.tail.length; start += 1) {
      const joined = this.tail.slice(start) + next;
      if (this.signs.some((each) => each.folded.startsWith(joined))) return true;
    }
    return false;
  }
}

// Only letters that keep their length: a place in the folded text is the same place in the text.
function fold(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
