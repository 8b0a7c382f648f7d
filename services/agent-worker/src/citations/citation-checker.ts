import type { Addresses } from './addresses.js';
import { readEntity } from './entities.js';
import {
  codeSpanLength,
  hasBar,
  hidesTarget,
  LONGEST_CODE_SPAN,
  readFormula,
  withEscapedBars,
} from './inline-spans.js';
import { LineBreaks } from './line-breaks.js';
import {
  endsInIndexed,
  endsInOperator,
  LONGEST_MARKER,
  mayBecomeMarker,
  readMarker,
  readTarget,
  type Marker,
} from './marker-syntax.js';
import { joinsAddress } from './markup-syntax.js';
import { SafeMarkup, type Step } from './safe-markup.js';
import { ShownText } from './shown-text.js';
import { OPENING, opensBracket } from './undisguised.js';

const PART = 1000;
const LONGEST_LINE_START = 200;
const MOST_BLANKS = 120;
const special = String.raw`\n\`~$&(${OPENING}`;
const opening = new RegExp(`^[(${OPENING}]`);
/** Text before the next of these characters, without the blanks directly before it. */
const plainUpTo = (signs: string) =>
  new RegExp(String.raw`^[ \t]*[^${signs} \t]*(?:[ \t]+[^${signs} \t]+)*\n?`);
const plainText = plainUpTo(special);
const plainMarkup = plainUpTo(String.raw`${special}!\]<@`);
/** A backslash that escapes the next character, and the blanks before it. */
const openEscape = /[ \t]*(?<=(?<!\\)(?:\\\\)*)\\$/;
const tildeInBracket = /^(\[[^~\]\n\\]*)~[^\]\n]{0,100}\]/;
const isPlain = /^\[[\d\s,;:.–-]+\]$/;
/** A fence whose info string holds a bar is the head of a table in `markdown-it`; others find markup in one. */
const notInfo = /[^\p{L}\p{N}\s~_+#.,:;/={}()"'-]/gu;
/** Replaces a dropped marker if the text around it would otherwise form another one. */
const OMISSION = '⋯';

/**
 * Checks the citations of an answer while it streams and, if `addresses` are given, its links, images and HTML. Drops
 * markers that name no passage and link targets on markers; writes the others as `[n]`, renumbered in order of first
 * use. Text that may still become a marker, a link or a code span is held back until it is whole; code stays unchanged.
 * The output does not depend on how the text is cut into pieces.
 */
export class CitationChecker {
  /** Passage numbers in the order of their first citation; the n-th is shown as `[n]`. */
  readonly cited: number[] = [];
  private readonly lineBreaks = new LineBreaks();
  private readonly shown = new ShownText();
  private readonly markup: SafeMarkup | undefined;
  private held = '';
  private afterMarker = false;
  private inMath = false;
  /** The blanks dropped with markers since text was last shown; undefined if nothing was dropped. */
  private gap: string | undefined;

  /** @param isPassage called when a marker is whole, because passages may be added while the answer streams */
  constructor(
    private readonly isPassage: (number: number) => boolean,
    addresses?: Addresses,
  ) {
    this.markup = addresses && new SafeMarkup(this.shown, addresses);
  }

  /** How much markup was removed; undefined without `addresses`. */
  get removed(): SafeMarkup['removed'] | undefined {
    return this.markup?.removed;
  }

  /** Returns what can be shown after the next piece. */
  push(text: string): string {
    const whole = this.lineBreaks.push(text);
    let out = '';
    // Removing markup copies the held text, so a long text is read in parts.
    for (let at = 0; at < whole.length; at += PART) {
      this.held += whole.slice(at, at + PART);
      out += this.release(false);
    }
    return out;
  }

  /** The answer is complete: returns what was held back. */
  end(): string {
    this.held += this.lineBreaks.end();
    const rest = this.release(true) + (this.markup?.end() ?? '');
    return this.shown.cutsCode('') ? `${rest}\\` : rest;
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

  /** Returns what is shown for the start of the held text; undefined if more text is needed to decide. */
  private next(final: boolean): string | undefined {
    const { shown, held } = this;
    if (shown.fenceMayEnd) {
      const start = /^[ \t>]*/.exec(held.slice(0, LONGEST_LINE_START))?.[0] ?? '';
      if (start.length === held.length && !final) return undefined;
      shown.beginLine(held.slice(0, start.length + 1));
    }
    if (shown.inFence) return this.nextCodeLine();
    const step = this.markup?.next(held, { final, inMath: this.inMath, isApart: this.gap !== undefined });
    if (step) return step === 'wait' ? undefined : this.apply(step);
    if (held.startsWith('`')) return this.nextCode(final);
    if (held.startsWith('~')) return this.nextTildes(final);
    if (held.startsWith('$')) return this.nextFormula(final);
    if (held.startsWith('(') && this.afterMarker) return this.nextTarget(final);
    const lead = /^[ \t]*\\?/.exec(held)?.[0] ?? '';
    if (lead.length > MOST_BLANKS) return this.pass(lead.length - MOST_BLANKS);
    if (lead.length === held.length) return final ? this.pass(lead.length) : undefined;
    if (opening.test(held.slice(lead.length))) return this.nextBracket(lead, final);
    if (held.charAt(lead.length) === '&' && !lead.endsWith('\\')) return this.nextEntity(lead, final);
    return this.nextText(final);
  }

  private nextCodeLine(): string {
    const { shown, markup } = this;
    const end = shown.mayBeDefinition ? /[[\]\n]/ : /\n/;
    const line = this.take(this.held.search(end) + 1 || this.held.length);
    return this.show(shown.onOpeningLine ? line.replaceAll(markup ? notInfo : '|', '') : line);
  }

  private nextText(final: boolean): string | undefined {
    const { held, markup } = this;
    const text = (markup ? plainMarkup : plainText).exec(held)?.[0] ?? '';
    if (text === '') return this.pass(1);
    const isAll = text.length === held.length && !final;
    const length = markup?.plainLength(text, isAll, this.gap !== undefined) ?? text.length;
    if (length === 0) return undefined;
    // A backslash in front of a bracket may be part of a marker.
    const mayEscape = isAll || opening.test(held.charAt(text.length));
    return this.pass(Math.min(length, mayEscape ? text.replace(openEscape, '').length : length));
  }

  /** An entity may stand for the bracket that opens a marker. */
  private nextEntity(blanks: string, final: boolean): string | undefined {
    const text = this.held.slice(blanks.length, blanks.length + LONGEST_MARKER);
    const entity = blanks === '' && this.shown.escapes ? undefined : readEntity(text);
    if (entity === 'unfinished' && !final) return undefined;
    const opens = typeof entity === 'object' && opensBracket(entity);
    const marker = opens ? readMarker(text) : undefined;
    if (marker === 'unfinished' && !final) return undefined;
    if (typeof marker === 'object' && !this.inMath) return this.nextMarker(marker, blanks);
    if (!this.markup) return this.pass(blanks.length + 1);
    if (blanks !== '' || !opens) return this.pass(blanks.length || 1);
    this.take(1);
    return this.show('&amp;');
  }

  /** @param lead the blanks before the bracket, and the backslash that escapes it */
  private nextBracket(lead: string, final: boolean): string | undefined {
    const marker = readMarker(this.held.slice(lead.length, lead.length + LONGEST_MARKER));
    if (marker === 'unfinished' && !final) return undefined;
    if (typeof marker === 'object' && !this.isValue(marker, lead)) return this.nextMarker(marker, lead);
    if (marker === 'endless') return this.pass(lead.length + 1) + this.show(OMISSION);
    if (marker === undefined && this.markup && this.held.charAt(lead.length) === '[') {
      if (lead !== '') return this.pass(lead.length);
      const step = this.markup.nextLink(this.held, final);
      if (step) return step === 'wait' ? undefined : this.apply(step);
      // A tilde behind the bracket would strike through the number, and hide this one.
      const [whole, start = ''] = tildeInBracket.exec(this.held) ?? [];
      if (whole && typeof readMarker(whole.replaceAll('~', '')) === 'object') {
        return this.pass(start.length) + this.show('\\') + this.pass(1);
      }
    }
    return this.pass(lead.length + 1);
  }

  /** Whether it is mathematics, an index or a list of values instead of a citation. */
  private isValue({ isBare, numbers, length }: Marker, lead: string): boolean {
    if (this.inMath) return true;
    // A number in disguise, such as `【1】`, is no index. After a dropped marker the text before does not count.
    if (!isBare || !isPlain.test(this.held.slice(lead.length, lead.length + length))) return false;
    const before = this.shown.tail + (this.gap === undefined ? lead : ' ');
    return endsInIndexed(before) || (numbers.length > 1 && endsInOperator(before));
  }

  private nextMarker(marker: Marker, lead: string): string {
    this.take(lead.length + marker.length);
    const blanks = lead.replace('\\', '');
    this.afterMarker = true;
    const passages = marker.numbers.filter((number) => this.isPassage(number));
    const numbers = new Set(passages.map((passage) => this.shownNumber(passage)));
    if (numbers.size > 0) {
      // Directly after a small letter it would read as an index.
      const apart = blanks === '' && !this.gap && endsInIndexed(this.shown.tail) ? ' ' : blanks;
      return this.show(apart + [...numbers].map((number) => `[${number}]`).join(''));
    }
    if ([this.shown.openBracket, this.shown.openRound].some(mayBecomeMarker)) return this.show(OMISSION);
    // A backslash before the blanks would seem to escape what follows.
    if (blanks !== '' && (marker.opens || this.shown.escapes)) return this.show(blanks);
    this.gap = (this.gap ?? '') + blanks;
    return '';
  }

  /** Drops the target of a link on a marker: a model may have made it up. */
  private nextTarget(final: boolean): string | undefined {
    const length = readTarget(this.held);
    if (length === 'unfinished' && !final) return undefined;
    if (typeof length !== 'number') return this.nextBracket('', final);
    if (this.markup) this.markup.removed.links += 1;
    this.take(length);
    return '';
  }

  private nextCode(final: boolean): string | undefined {
    const { shown } = this;
    if (shown.escapes) return this.pass(1);
    const line = this.held.slice(0, LONGEST_CODE_SPAN).split('\n', 1)[0] ?? '';
    const lineIsWhole = final || line.length < this.held.length;
    const run = /^`+/.exec(line)?.[0] ?? '';
    const isAlone = run.length >= 3 && shown.atLineStart && !line.includes('`', run.length);
    const mayOpenFence = isAlone && shown.opensFence(run);
    if (!lineIsWhole && (run.length === line.length || mayOpenFence)) return undefined;
    if (mayOpenFence && line.length < LONGEST_CODE_SPAN) {
      shown.openFence();
      return this.pass(run.length);
    }
    const span = codeSpanLength(line, run);
    // A closing run at the end of the held text may still grow.
    if (!lineIsWhole && (span === 0 || span === line.length)) return undefined;
    const code = line.slice(0, span);
    // An unmatched backtick is escaped, so that it opens no code with one of a later line.
    const isText = span === 0 || (shown.mayBeDefinition && code.includes(']:'));
    if (isText || (this.markup && hidesTarget(code, shown.hasOpenBracket))) {
      this.take(run.length);
      return this.show('\\`'.repeat(run.length));
    }
    if (!hasBar(code)) return this.pass(span);
    this.take(span);
    if (shown.inTable) return this.show(withEscapedBars(code));
    shown.addPipesInCode();
    return this.show(code);
  }

  /** Tildes at the start of a line that open no fenced block are escaped, so that they open none for any parser. */
  private nextTildes(final: boolean): string | undefined {
    const { shown, held } = this;
    const run = /^~+/.exec(held)?.[0] ?? '';
    const mayOpenFence = shown.atLineStart && !shown.escapes;
    if (mayOpenFence && run.length < 3 && run.length === held.length && !final) return undefined;
    if (mayOpenFence && run.length >= 3) {
      if (!shown.opensFence(run)) return this.show('\\') + this.pass(run.length);
      shown.openFence();
    }
    return this.pass(run.length);
  }

  private nextFormula(final: boolean): string | undefined {
    const before = this.shown.lastCharacter;
    if (this.inMath || this.shown.escapes || /[\w$]/.test(before)) {
      this.inMath = false;
      return this.pass(1);
    }
    const found = readFormula(this.held, final);
    if (found === 'unfinished' && !final) return undefined;
    this.inMath = found === true;
    return this.pass(this.held.startsWith('$$') ? 2 : 1);
  }

  private apply({ take, show, putBack }: Step): string {
    this.take(take);
    if (putBack === undefined) return this.show(show ?? '');
    this.held = putBack + this.held;
    if (show !== undefined) return this.show(show);
    this.gap ??= '';
    return mayBecomeMarker(this.shown.openBracket) ? this.show(OMISSION) : '';
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
    if (text === '') return '';
    // With a backslash the line is no delimiter row of a table.
    const line = this.shown.cutsCode(text) ? text.replace(/\r?\n$/, '\\$&') : text;
    const apart = this.separator(line) + line;
    this.shown.add(apart);
    if (text.includes('\n')) this.inMath = false;
    this.gap = undefined;
    return apart;
  }

  /** Returns a separator, so that the texts around something dropped form no new markup together. */
  private separator(next: string): string {
    const { shown, gap, markup } = this;
    if (shown.inFence) return shown.endsInDefinedLabel && next.startsWith(':') ? ' ' : '';
    if (next.startsWith('(') && (markup ? shown.endsInLabel : shown.endsInMarker)) return ' ';
    if (next.startsWith(':') && shown.endsInDefinedLabel && (markup || shown.endsInMarker)) return ' ';
    if (next.startsWith('`') && shown.lastCharacter === '`') return ' ';
    if (gap === undefined) return '';
    if (/&#?\w*$/.test(shown.tail) && /^[#\w;]/.test(next)) return ' ';
    const apart = /^[\p{L}\p{N}[]/u.test(next) ? gap.slice(0, 1) : '';
    if (apart !== '') return apart;
    if (shown.lastCharacter === '~' && next.startsWith('~')) return ' ';
    if (shown.lastCharacter === '<' && /^[/!?a-z]/i.test(next)) return ' ';
    return markup && joinsAddress(shown.tail, next) ? ' ' : '';
  }

  private shownNumber(passage: number): number {
    const known = this.cited.indexOf(passage);
    return known >= 0 ? known + 1 : this.cited.push(passage);
  }
}
