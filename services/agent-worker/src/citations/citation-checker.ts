/** A whole marker such as `[1]` or `[1, 3]`, with the blanks before it. */
const marker = /^([ \t]*)\[(?=[^\]]{1,40}\])\s*(\d{1,4}(?:\s*,\s*\d{1,4})*)\s*\]/;
/** What may still become a marker when more text comes. */
const unfinishedMarker = /^[ \t]*(\[[\d,\s]{0,40})?$/;
const plainText = /^[^`[ \t\n]+|^\n/;
const LONGEST_CODE_SPAN = 400;

/**
 * Checks the citations of an answer while it streams. A marker that names no passage is never let through; the
 * others are renumbered in order of first use. What could still become a marker, or a code span, is held back
 * until it is whole; code is left alone. The output does not depend on how the text is cut into pieces.
 */
export class CitationChecker {
  /** Passage numbers in the order of their first citation; the n-th is shown as `[n]`. */
  readonly cited: number[] = [];
  private held = '';
  private fence = '';
  private atLineStart = true;

  constructor(private readonly passageCount: number) {}

  /** Takes the next piece and gives back what can be shown. */
  push(text: string): string {
    this.held += text;
    return this.release(false);
  }

  /** The answer is complete: gives back what was held. */
  end(): string {
    return this.release(true);
  }

  private release(final: boolean): string {
    let out = '';
    while (this.held.length > 0) {
      const length = this.fence ? this.fencedLength(final) : this.codeLength(final);
      if (length === undefined) break;
      if (length > 0) {
        out += this.take(length);
        continue;
      }
      const found = marker.exec(this.held);
      if (found) {
        this.take(found[0].length);
        out += this.renumber(found[1] ?? '', found[2] ?? '');
        continue;
      }
      if (!final && unfinishedMarker.test(this.held)) break;
      out += this.take(plainText.exec(this.held)?.[0].length ?? 1);
    }
    return out;
  }

  private take(length: number): string {
    const taken = this.held.slice(0, length);
    this.held = this.held.slice(length);
    const lastBreak = taken.lastIndexOf('\n');
    if (lastBreak >= 0) this.atLineStart = true;
    if (taken.slice(lastBreak + 1).trim().length > 0) this.atLineStart = false;
    return taken;
  }

  /** Inside a fenced block: everything up to and including the closing fence. */
  private fencedLength(final: boolean): number | undefined {
    const close = this.held.indexOf(`\n${this.fence}`);
    if (close < 0) {
      if (final) return this.held.length;
      const safe = this.held.length - this.fence.length - 1;
      return safe > 0 ? safe : undefined;
    }
    const length = close + 1 + this.fence.length;
    this.fence = '';
    return length;
  }

  /** Length of the code that starts here; 0 if none does, undefined while that cannot be told yet. */
  private codeLength(final: boolean): number | undefined {
    const run = /^`+/.exec(this.held)?.[0];
    if (!run) return 0;
    if (!final && run.length === this.held.length) return undefined;
    if (run.length >= 3 && this.atLineStart) {
      this.fence = run;
      return run.length;
    }
    const line = /^[^\n]*/.exec(this.held)?.[0] ?? '';
    const close = closingRun(line, run);
    const mayGoOn = !final && line.length === this.held.length && line.length < LONGEST_CODE_SPAN;
    if (close > 0 && close < LONGEST_CODE_SPAN) {
      // A closing run at the very end could still grow longer.
      return mayGoOn && close === line.length ? undefined : close;
    }
    // An unmatched backtick is plain text.
    return mayGoOn ? undefined : run.length;
  }

  private renumber(blanks: string, numbers: string): string {
    const shown = numbers
      .split(',')
      .map(Number)
      .filter((passage) => passage >= 1 && passage <= this.passageCount)
      .map((passage) => this.shownNumber(passage));
    if (shown.length === 0) return '';
    return blanks + [...new Set(shown)].map((number) => `[${number}]`).join('');
  }

  private shownNumber(passage: number): number {
    const known = this.cited.indexOf(passage);
    return known >= 0 ? known + 1 : this.cited.push(passage);
  }
}

/** Where a code span opened by `run` ends in the line, its closing backticks included; 0 if it does not. */
function closingRun(line: string, run: string): number {
  for (const match of line.slice(run.length).matchAll(/`+/g)) {
    if (match[0].length === run.length) return run.length + match.index + run.length;
  }
  return 0;
}
