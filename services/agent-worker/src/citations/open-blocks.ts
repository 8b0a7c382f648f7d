/** A quote, or the item of a list: `width` is how far what belongs to the item is indented. */
type Container = { kind: 'quote' } | { kind: 'item'; width: number };

/** Where a line stands in its containers. */
interface Placed {
  containers: readonly Container[];
  /** The line behind what its containers take of it. */
  rest: string;
  /** Every open container goes on. */
  isInside: boolean;
  /** The line opens a container. */
  isNew: boolean;
  /** A container is opened by a bullet alone, and closed again by a blank line. */
  isBare: boolean;
  /** Parsers disagree on whether the line opens a list. */
  isDisputed: boolean;
}

const LONGEST_LEAD = 200;
const MOST_CONTAINERS = 20;
const item = /^( {0,3})([-*+]|(\d{1,9})[.)])( +|$)/;
const thematicBreak = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;
const heading = /^ {0,3}#{1,6}(?: |$)/;
const underline = /^ {0,3}(?:=+|-+) *$/;
/** To CommonMark other characters that `trim` removes are text. */
const blank = /^ *$/;
const delimiterRow = /^(?=.*-)(?=.*[|:])[ |:-]+$/;
const fenceNestedByTab = /^(?=[^`~]*\t)[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+){2,}(?:`{3}|~{3})/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/**
 * The block structure of a Markdown text line by line, as CommonMark has it: which quotes and lists are open, and so
 * whether a fence opens here and where its block ends.
 */
export class OpenBlocks {
  private containers: readonly Container[] = [];
  private fence: { run: string; containers: readonly Container[] } | undefined;
  private inParagraph = false;
  private inIndentedCode = false;
  /** What looks like a paragraph is a table, which more can interrupt. */
  private inTable = false;
  /** A container may have been closed: a line went on its paragraph without its mark, or it began without content. */
  private isDoubtful = false;
  /** The structure is nested too deep to be followed, or a fenced block broke off. */
  private isLost = false;

  /** Whether the lines to come are code as long as their containers go on. */
  get inFence(): boolean {
    return this.fence !== undefined;
  }

  /** Whether a line's beginning has to be seen before it is known that the fenced block goes on. */
  get fenceMayBreakOff(): boolean {
    return (this.fence?.containers.length ?? 0) > 0;
  }

  /** Whether fences are taken for text: they have to be shown as such. */
  get knowsNoFence(): boolean {
    return this.isLost;
  }

  /** Whether a line that begins like this still belongs to the fenced block. */
  fenceGoesOn(line: string): boolean {
    return this.fence !== undefined && continued(this.fence.containers, expanded(line)).isInside;
  }

  /** The fenced block has ended with its container. Few writers mean that: from here on fences are text. */
  breakFence(): void {
    this.fence = undefined;
    this.inParagraph = false;
    this.isLost = true;
  }

  /** The fence that a line opens so far. */
  openingFence(line: string): string | undefined {
    if (this.isLost || line.length > LONGEST_LEAD) return undefined;
    const placed = this.place(expanded(line), this.containers);
    if (placed?.isDisputed || this.hasDisputedTab(line)) return undefined;
    const run = fence.exec(placed?.rest ?? '')?.[1];
    // Where it is not certain which containers are open, it has to be a fence in none of them, too.
    return this.isDoubtful && !fence.test(this.place(expanded(line), [])?.rest ?? '') ? undefined : run;
  }

  /** A line is complete, or its beginning is, where it is long; `opens` if it was taken for an opening fence. */
  endLine(line: string, opens: boolean): void {
    const whole = expanded(line);
    if (this.fence) {
      const { rest, isInside } = continued(this.fence.containers, whole);
      const run = /^ {0,3}(`{3,}|~{3,}) *$/.exec(rest)?.[1];
      if (isInside && run?.startsWith(this.fence.run)) this.fence = undefined;
      return;
    }
    const placed = this.place(whole, this.containers);
    if (!placed) {
      this.isLost = true;
      return;
    }
    const { rest, containers, isInside, isNew, isBare } = placed;
    if (placed.isDisputed || this.hasDisputedTab(line)) this.isLost = true;
    const isText = !blank.test(rest) && !opens && !heading.test(rest) && !thematicBreak.test(rest);
    const isLazy = this.inParagraph && !isInside && !isNew && isText;
    if (isLazy) {
      this.isDoubtful = true;
      return;
    }
    if (isNew || containers.length === 0) this.isDoubtful = false;
    this.isDoubtful ||= isBare;
    const goesOn = this.inParagraph && isInside && !isNew;
    this.inTable = goesOn && (this.inTable || delimiterRow.test(rest));
    this.inIndentedCode =
      (isIndented(rest) && (!goesOn || this.inTable)) || (blank.test(rest) && this.inIndentedCode && !isNew);
    this.inParagraph = isText && (goesOn ? !underline.test(rest) : !isIndented(rest));
    this.containers = containers;
    const run = fence.exec(rest)?.[1];
    if (opens && run !== undefined) this.fence = { run, containers };
  }

  /** Parsers count a tab differently in front of a table's row and between nested items. */
  private hasDisputedTab(line: string): boolean {
    return (this.inTable && /^[ >]*\t/.test(line)) || fenceNestedByTab.test(line);
  }

  private place(line: string, containers: readonly Container[]): Placed | undefined {
    const placed = continued(containers, line);
    const open = [...placed.containers];
    let { rest } = placed;
    let isNew = false;
    let isDisputed = false;
    for (;;) {
      if (open.length > MOST_CONTAINERS || line.length - rest.length > LONGEST_LEAD) return undefined;
      const interrupts = this.inParagraph && placed.isInside && !isNew;
      const opened = openedBy(rest, interrupts);
      if (!opened) {
        // More can interrupt a table than a paragraph, and to some parsers an empty item interrupts both; `-` is a heading's.
        const other = interrupts ? openedBy(rest, false) : undefined;
        const isEmptyItem = other !== undefined && blank.test(other.rest) && !underline.test(rest);
        isDisputed ||= isEmptyItem || (other !== undefined && this.inTable);
        return { ...placed, containers: open, rest, isNew, isDisputed };
      }
      // Some let `01.` interrupt a paragraph; some let no such item interrupt indented code, or begin within a new one.
      isDisputed ||= opened.isTimid && (this.inIndentedCode || (this.inParagraph && (isNew || interrupts)));
      open.push(opened.container);
      rest = opened.rest;
      isNew = true;
      if (blank.test(rest)) {
        const isBare = opened.container.kind === 'item';
        return { ...placed, containers: open, rest, isNew, isBare, isDisputed };
      }
    }
  }
}

interface Opened {
  container: Container;
  rest: string;
  /** It interrupts no paragraph. */
  isTimid: boolean;
}

function openedBy(line: string, interrupts: boolean): Opened | undefined {
  const quote = /^ {0,3}> ?/.exec(line);
  if (quote) return { container: { kind: 'quote' }, rest: line.slice(quote[0].length), isTimid: false };
  const begun = thematicBreak.test(line) ? null : item.exec(line);
  if (!begun) return undefined;
  const [whole, indent = '', bullet = '', ordinal, blanks = ''] = begun;
  const isEmpty = whole.length === line.length;
  const isTimid = isEmpty || (ordinal !== undefined && ordinal !== '1');
  if (interrupts && (isEmpty || (isTimid && Number(ordinal) !== 1))) return undefined;
  const width = indent.length + bullet.length + (isEmpty || blanks.length > 4 ? 1 : blanks.length);
  return { container: { kind: 'item', width }, rest: line.slice(width), isTimid };
}

/** The containers that a line goes on, and what it is within them. */
function continued(containers: readonly Container[], line: string): Placed {
  const part = { isInside: false, isNew: false, isBare: false, isDisputed: false };
  let rest = line;
  for (const [i, container] of containers.entries()) {
    if (container.kind === 'quote') {
      const mark = /^ {0,3}> ?/.exec(rest);
      if (!mark) return { ...part, containers: containers.slice(0, i), rest };
      rest = rest.slice(mark[0].length);
    } else if (!blank.test(rest)) {
      if (!rest.startsWith(' '.repeat(container.width))) {
        return { ...part, containers: containers.slice(0, i), rest };
      }
      rest = rest.slice(container.width);
    }
  }
  return { ...part, containers, rest, isInside: true };
}

const isIndented = (line: string): boolean => /^ {4} *[^ ]/.test(line);

/** With the tabs of its beginning as blanks. */
function expanded(line: string): string {
  let out = '';
  for (const [i, character] of Array.from(line.replace(/\r$/, '')).entries()) {
    if (i > LONGEST_LEAD) return out + line.slice(i);
    out += character === '\t' ? ' '.repeat(4 - (out.length % 4)) : character;
  }
  return out;
}
