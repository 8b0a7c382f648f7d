import { OpenBlocks } from './open-blocks.js';
import { undisguised } from './undisguised.js';

const KEPT = 240;
const unescaped = String.raw`(?<!\\)(?:\\\\)*`;
const endOfLabel = new RegExp(String.raw`${unescaped}\]$`);
const openingBracket = new RegExp(String.raw`${unescaped}\[$`);
const closingBracket = new RegExp(String.raw`${unescaped}\][^]`);
const delimiterRow = /^(?=.*-)(?=.*[|:])[\s>|:*+\d.)-]*$/;
/** What may precede the first word of a line: indentation, quote marks, bullets of a list. */
const lead = String.raw`^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*`;
const atStart = new RegExp(`${lead}$`);
const labelAtStart = new RegExp(String.raw`${lead}\[`);

/**
 * The part of the shown text that decides how the next piece is read. It is the shown text, not the model's: readers parse
 * only that, so code starts and ends according to it.
 */
export class ShownText {
  private readonly blocks = new OpenBlocks();
  /** The start of the current line. */
  private line = '';
  /** The last characters of the whole text. */
  private end = '';
  /** The current line opened the fenced block, and so continues with its info string. */
  onOpeningLine = false;
  /** State of a bracket at the start of a line, which may define a link (`[label]: address`); it may span lines. */
  private label: 'open' | 'closed' | undefined;
  private tableContinues = false;
  private hasPipesInCode = false;
  private hadPipesInCode = false;

  add(text: string): void {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) this.endLine();
      this.end = (this.end + (i > 0 ? '\n' : '') + part).slice(-KEPT);
      if (this.line.length < KEPT) this.line = (this.line + part).slice(0, KEPT);
      this.followLabel(part);
    }
  }

  /** The current line opens a fenced block. */
  openFence(): void {
    this.onOpeningLine = true;
  }

  /** Whether the line, with this run of marks, opens a fenced block in every parser. */
  opensFence(run: string): boolean {
    return this.blocks.opensFence(this.line + run);
  }

  get inFence(): boolean {
    return this.onOpeningLine || this.blocks.inFence;
  }

  /** Whether only more of the line tells if the fenced block continues. */
  get fenceMayEnd(): boolean {
    return this.line === '' && !this.onOpeningLine && this.blocks.fenceMayEnd;
  }

  /** Ends the fenced block if the line that starts like this does not continue its containers. */
  beginLine(start: string): void {
    if (!this.blocks.fenceContinues(start)) this.blocks.breakFence();
  }

  get atLineStart(): boolean {
    return atStart.test(this.line);
  }

  get tail(): string {
    return this.end;
  }

  get lastCharacter(): string {
    return this.end.slice(-1);
  }

  /** Whether the text ends with a backslash that escapes the next character. */
  get escapes(): boolean {
    return (/\\+$/.exec(this.end)?.[0].length ?? 0) % 2 === 1;
  }

  /** The line from its last open bracket on, as a reader sees it; empty if there is none. */
  get openBracket(): string {
    return /\[[^[\]\n]*$/.exec(undisguised(this.end).text)?.[0] ?? '';
  }

  /** The same for a round bracket with text behind it. */
  get openRound(): string {
    return /\([^\S\n]*\w[^[\]()\n]*$/.exec(undisguised(this.end).text)?.[0] ?? '';
  }

  /** Whether a bracket is open, also one of an earlier line. */
  get hasOpenBracket(): boolean {
    return /\[[^[\]]*$/.test(this.end);
  }

  /** Whether a round bracket after the text would form a link. */
  get endsInLabel(): boolean {
    return endOfLabel.test(this.end);
  }

  get endsInMarker(): boolean {
    return /\[\d+\]$/.test(this.end);
  }

  /** Whether a colon after the text would form the definition of a link. */
  get endsInDefinedLabel(): boolean {
    return this.label === 'closed';
  }

  /** Whether a closing bracket and a colon would, even within code. */
  get mayBeDefinition(): boolean {
    return this.label === 'open';
  }

  /** Whether the line is a row of a table, whose cells end at a bar even in code. */
  get inTable(): boolean {
    return this.tableContinues;
  }

  /** Whether the line with this text is a delimiter row: then the line before is a table's head, whose cells would cut its code. */
  cutsCode(text: string): boolean {
    return this.hadPipesInCode && !this.inFence && delimiterRow.test(this.line + text.replace(/\r?\n$/, ''));
  }

  /** Notes code with bars in the current line, in case a delimiter row follows. */
  addPipesInCode(): void {
    this.hasPipesInCode = true;
  }

  /** A definition's label is closed by the first bracket that is not escaped. */
  private followLabel(part: string): void {
    if (part === '') return;
    if (this.label === 'closed') this.label = undefined;
    // Some parsers read a fence as part of a label, which no other bracket continues.
    if (this.inFence && (this.label === undefined || openingBracket.test(this.end))) {
      this.label = undefined;
      return;
    }
    const start = labelAtStart.exec(this.line)?.[0].length ?? 0;
    if (this.label === undefined && start > this.line.length - part.length) this.label = 'open';
    if (this.label === undefined || closingBracket.test(part)) this.label = undefined;
    else if (this.endsInLabel) this.label = 'closed';
  }

  private endLine(): void {
    // Only a blank line of spaces or quote marks ends a table in every parser.
    this.tableContinues =
      !this.inFence && !/^[ >]*$/.test(this.line) && (this.tableContinues || delimiterRow.test(this.line));
    if (this.label === 'closed') this.label = undefined;
    this.hadPipesInCode = this.hasPipesInCode;
    this.hasPipesInCode = false;
    this.blocks.endLine(this.line, this.onOpeningLine);
    this.onOpeningLine = false;
    this.line = '';
  }
}
