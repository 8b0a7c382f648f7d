import { LONGEST_MARKER, mayBecomeMarker, readMarker, readTarget } from './marker-syntax.js';
import { ShownText } from './shown-text.js';

/** Up to the next code or bracket, without the blanks in front of it. */
const plainText = /^[ \t]*[^`[【 \t]*(?:[ \t]+[^`[【 \t]+)*/;
const LONGEST_CODE_SPAN = 400;
const MOST_BLANKS = 120;
/** Stands for a dropped marker where the text around it would otherwise join up into another one. */
const OMISSION = '…';

/**
 * Checks the citations of an answer while it streams. A marker that names no passage is never let through, nor is a
 * link target on a marker; the others are written `[n]`, renumbered in order of first use. What could still become a
 * marker, or a code span, is held back until it is whole; code is left alone. The output does not depend on how the
 * text is cut into pieces.
 */
export class CitationChecker {
  /** Passage numbers in the order of their first citation; the n-th is shown as `[n]`. */
  readonly cited: number[] = [];
  private readonly shown = new ShownText();
  private held = '';
  private afterMarker = false;
  /** The blanks that went with the markers dropped since something was last shown. */
  private gap: string | undefined;

  /** `isPassage` is asked when a marker is whole: passages may be added while the answer streams. */
  constructor(private readonly isPassage: (number: number) => boolean) {}

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
    while (this.held !== '') {
      const next = this.next(final);
      if (next === undefined) break;
      out += next;
    }
    return out;
  }

  /** What is shown for the beginning of the held text; undefined while that cannot be told yet. */
  private next(final: boolean): string | undefined {
    if (this.shown.inFence) return this.pass(this.held.indexOf('\n') + 1 || this.held.length);
    if (this.held.startsWith('`')) return this.nextCode(final);
    if (this.held.startsWith('(') && this.afterMarker) return this.nextTarget(final);
    const blanks = /^[ \t]*/.exec(this.held)?.[0] ?? '';
    if (blanks.length > MOST_BLANKS) return this.pass(blanks.length - MOST_BLANKS);
    if (blanks.length === this.held.length) return final ? this.pass(blanks.length) : undefined;
    if (/[[【]/.test(this.held.charAt(blanks.length))) return this.nextBracket(blanks, final);
    return this.pass(plainText.exec(this.held)?.[0].length ?? 1);
  }

  private nextBracket(blanks: string, final: boolean): string | undefined {
    const marker = readMarker(this.held.slice(blanks.length, blanks.length + LONGEST_MARKER));
    if (marker === 'unfinished' && !final) return undefined;
    if (marker === 'endless') return this.pass(blanks.length + 1) + this.show(OMISSION);
    if (typeof marker !== 'object') return this.pass(blanks.length + 1);
    this.take(blanks.length + marker.length);
    this.afterMarker = true;
    const passages = marker.numbers.filter((number) => this.isPassage(number));
    const numbers = new Set(passages.map((passage) => this.shownNumber(passage)));
    if (numbers.size > 0) return this.show(blanks + [...numbers].map((number) => `[${number}]`).join(''));
    if (mayBecomeMarker(this.shown.openBracket)) return this.show(OMISSION);
    if (marker.opens && blanks !== '') return this.show(blanks);
    this.gap = (this.gap ?? '') + blanks;
    return '';
  }

  /** The target was never retrieved, so it goes, whatever becomes of its marker. */
  private nextTarget(final: boolean): string | undefined {
    const length = readTarget(this.held);
    if (length === 'unfinished' && !final) return undefined;
    if (typeof length !== 'number') return this.pass(1);
    this.take(length);
    return '';
  }

  private nextCode(final: boolean): string | undefined {
    if (this.shown.escapes) return this.pass(1);
    const line = this.held.slice(0, LONGEST_CODE_SPAN).split('\n', 1)[0] ?? '';
    const lineIsWhole = final || line.length < this.held.length;
    const run = /^`+/.exec(line)?.[0] ?? '';
    if (!lineIsWhole && run.length === line.length) return undefined;
    if (run.length >= 3 && this.shown.atLineStart && !line.includes('`', run.length)) {
      if (!lineIsWhole) return undefined;
      this.shown.openFence();
      return this.pass(run.length);
    }
    const span = codeSpanLength(line, run);
    // A closing run at the very end could still grow longer.
    if (!lineIsWhole && (span === 0 || span === line.length)) return undefined;
    // An unmatched backtick is plain text.
    return this.pass(span || run.length);
  }

  private take(length: number): string {
    const taken = this.held.slice(0, length);
    this.held = this.held.slice(length);
    this.afterMarker = false;
    return taken;
  }

  private pass(length: number): string {
    return this.show(this.take(length));
  }

  private show(text: string): string {
    const apart = this.separator(text) + text;
    this.shown.add(apart);
    this.gap = undefined;
    return apart;
  }

  /** What must stand between the shown text and the next, so that a marker between them leaves nothing joined or linked. */
  private separator(next: string): string {
    const { shown, gap } = this;
    if (shown.inFence) return '';
    if (gap !== undefined) {
      if (/^[\p{L}\p{N}[]/u.test(next)) return gap.slice(0, 1);
      if (/[`~]/.test(shown.lastCharacter) && next.startsWith(shown.lastCharacter)) return ' ';
    }
    const becomesLink =
      (next.startsWith('(') && shown.endsInMarker) || (next.startsWith(':') && shown.isMarkerAlone);
    return becomesLink ? ' ' : '';
  }

  private shownNumber(passage: number): number {
    const known = this.cited.indexOf(passage);
    return known >= 0 ? known + 1 : this.cited.push(passage);
  }
}

/** Length of the code span that `run` opens at the beginning of the line; 0 if the line does not close it. */
function codeSpanLength(line: string, run: string): number {
  for (const match of line.slice(run.length).matchAll(/`+/g)) {
    if (match[0].length === run.length) return run.length + match.index + run.length;
  }
  return 0;
}
