import { OpenBlocks } from './open-blocks.js';
import { OPENING } from './undisguised.js';

const KEPT = 240;
const openBracket = new RegExp(`[${OPENING}][^${OPENING}\\]］】〕〗\\n]*$`);
const unescaped = String.raw`(?<!\\)(?:\\\\)*`;
const endOfLabel = new RegExp(String.raw`${unescaped}\]$`);
const closingBracket = new RegExp(String.raw`${unescaped}\][^]`);
const delimiterRow = /^(?=.*-)(?=.*[|:])[\s>|:*+\d.)-]*$/;
/** What may stand in front of the first word of a line: indentation, quote marks, the bullets of a list. */
const lead = String.raw`^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*`;
const atStart = new RegExp(`${lead}$`);
const labelAtStart = new RegExp(String.raw`${lead}\[`);

/**
 * What has been shown of an answer, as far as it decides how the next piece will be read: readers see what was
 * shown, not what the model wrote, so code begins and ends where the shown text says so.
 */
export class ShownText {
  private readonly blocks = new OpenBlocks();
  /** The beginning of the current line. */
  private line = '';
  /** The end of everything. */
  private end = '';
  private onOpeningLine = false;
  /** Of a line that begins with a bracket, as the definition of a link does; it may go on over line breaks. */
  private label: 'open' | 'closed' | undefined;
  private tableGoesOn = false;
  private hasPipesInCode = false;
  private hadPipesInCode = false;

  add(text: string): void {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) this.endLine();
      this.end = (this.end + (i > 0 ? '\n' : '') + part).slice(-KEPT);
      if (this.line.length < KEPT) this.line = (this.line + part).slice(0, KEPT);
      this.followLabel(part);
      if (part.includes('~') && !this.inFence && this.opensFence('~')) this.onOpeningLine = true;
    }
  }

  /** The current line opens a fenced block. */
  openFence(): void {
    this.onOpeningLine = true;
  }

  /** Whether the line, with this run of marks, opens a fenced block. */
  opensFence(run: string): boolean {
    const line = run === '~' ? this.line : this.line + run;
    return this.blocks.openingFence(line)?.startsWith(run.charAt(0)) ?? false;
  }

  get inFence(): boolean {
    return this.onOpeningLine || this.blocks.inFence;
  }

  /** Whether more of the line has to be seen to know if the fenced block goes on. */
  get fenceMayBreakOff(): boolean {
    return this.line === '' && !this.onOpeningLine && this.blocks.fenceMayBreakOff;
  }

  /** Tells how the line begins; what it holds is code only if the containers of the fenced block go on. */
  beginLine(start: string): void {
    if (!this.blocks.fenceGoesOn(start)) this.blocks.breakFence();
  }

  /** Whether a run of tildes at the start of the line has to be shown as text. */
  get knowsNoFence(): boolean {
    return this.blocks.knowsNoFence && this.atLineStart;
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

  /** Whether a backslash takes its meaning from the next character. */
  get escapes(): boolean {
    return (/\\+$/.exec(this.end)?.[0].length ?? 0) % 2 === 1;
  }

  /** The end of the line from a bracket that is still open; empty if there is none. */
  get openBracket(): string {
    return openBracket.exec(this.end)?.[0] ?? '';
  }

  /** The same, also where it was opened on an earlier line. */
  get hasOpenBracket(): boolean {
    return /\[[^[\]]*$/.test(this.end);
  }

  /** Whether round brackets would make the text before them a link. */
  get endsInLabel(): boolean {
    return endOfLabel.test(this.end);
  }

  get endsInMarker(): boolean {
    return /\[\d+\]$/.test(this.end);
  }

  /** Whether a colon would make the definition of a link of what has been shown last. */
  get endsInDefinedLabel(): boolean {
    return this.label === 'closed';
  }

  /** Whether a bracket and a colon would, even within code. */
  get mayBeDefinition(): boolean {
    return this.label === 'open';
  }

  /** Whether the next line is shown as the row of a table, whose cells end at a bar even in code. */
  get inTable(): boolean {
    return this.tableGoesOn;
  }

  /** Whether the line, with this at its end, makes a table's head of the one before, whose code its cells would cut. */
  cutsCode(text: string): boolean {
    return this.hadPipesInCode && !this.inFence && delimiterRow.test(this.line + text.replace(/\r?\n$/, ''));
  }

  /** Code with bars is in the current line, which a delimiter row below would make a table's. */
  addPipesInCode(): void {
    this.hasPipesInCode = true;
  }

  /** A definition's label is closed by the first bracket that is not escaped. */
  private followLabel(part: string): void {
    if (part === '' || this.inFence) return;
    if (this.label === 'closed') this.label = undefined;
    const start = labelAtStart.exec(this.line)?.[0].length ?? 0;
    if (this.label === undefined && start > this.line.length - part.length) this.label = 'open';
    if (this.label === undefined || closingBracket.test(part)) this.label = undefined;
    else if (this.endsInLabel) this.label = 'closed';
  }

  private endLine(): void {
    const isBlank = this.inFence || atStart.test(this.line);
    // Not every parser lets an empty item, or a line of tabs, end a table.
    this.tableGoesOn =
      !this.inFence && !/^[ >]*$/.test(this.line) && (this.tableGoesOn || delimiterRow.test(this.line));
    if (isBlank || this.label === 'closed') this.label = undefined;
    this.hadPipesInCode = this.hasPipesInCode;
    this.hasPipesInCode = false;
    this.blocks.endLine(this.line, this.onOpeningLine);
    this.onOpeningLine = false;
    this.line = '';
  }
}
