interface Item {
  kind: 'item';
  /** The indentation of its content. */
  width: number;
  /** Its bullet, or the delimiter behind its number. */
  mark: string;
}

/** A block quote or a list item; `isSure` if every parser opens it. */
type Container = ({ kind: 'quote' } | Item) & { isSure?: boolean };

const isItem = (container: Container): container is Item => container.kind === 'item';

/** A line's position in the open containers. */
interface Placed {
  containers: readonly Container[];
  /** The line without the marks and indentation of its containers. */
  rest: string;
  /** The line continues every open container. */
  isInside: boolean;
  /** The line opens a container. */
  isNew: boolean;
  /** The line opens a list item that other parsers may not open. */
  isUnsure: boolean;
  /** Markdown parsers disagree on whether the line opens a list. */
  isDisputed: boolean;
}

const LONGEST_LEAD = 200;
const MOST_CONTAINERS = 20;
const item = /^( {0,3})([-*+]|(\d{1,9})[.)])( +|$)/;
const thematicBreak = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;
const heading = /^ {0,3}#{1,6}(?: |$)/;
const underline = /^ {0,3}(?:=+|-+) *$/;
/** Spaces only: to CommonMark other characters that `trim` removes are text. */
const blank = /^ *$/;
const delimiterRow = /^(?=.*-)(?=.*[|:])[ |:-]+$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
/** A fence in a list item that is one if the item is not open, too; it may be indented. */
const fenceOutside = /^(?: {0,3}> ?)* {0,3}(?:`{3}|~{3})/;
/** A fence that is in no list item, whichever are open. */
const outerFence = /^(?: {0,3}> ?)*(?:`{3}|~{3})/;
/** A line that starts in no list, because an item's content is indented by two or more. */
const notIndented = /^(?:> ?)* ?[^ >]/;
const tabInLead = /^[\s>*+\d.)-]*\t/;

/**
 * Follows the block structure of a Markdown text line by line, after CommonMark: which quotes and lists are open, and so
 * whether a fence opens a code block and where the block ends.
 */
export class OpenBlocks {
  private containers: readonly Container[] = [];
  private fence: { run: string; containers: readonly Container[] } | undefined;
  private inParagraph = false;
  private inIndentedCode = false;
  /** The paragraph is a table, which more kinds of lines can interrupt. */
  private inTable = false;
  /** Parsers may disagree on which lists are open. */
  private isDoubtful = false;
  /** The last line was blank, or ended its block in every parser. */
  private isAfterEnd = true;
  /** The structure is nested too deep to be followed, or a fenced block ended with its container. */
  private isLost = false;

  /** Whether the next lines are code as long as they continue its containers. */
  get inFence(): boolean {
    return this.fence !== undefined;
  }

  /** Whether only the start of a line tells if the fenced block continues. */
  get fenceMayEnd(): boolean {
    return (this.fence?.containers.length ?? 0) > 0;
  }

  /** Whether a line that starts like this still belongs to the fenced block. */
  fenceContinues(line: string): boolean {
    return this.fence !== undefined && continued(this.fence.containers, expanded(line)).isInside;
  }

  /** The fenced block ended with its container, which authors rarely intend: from now on fences are text. */
  breakFence(): void {
    this.fence = undefined;
    this.inParagraph = false;
    this.isLost = true;
  }

  /** Whether the line, as far as it is known, opens a fenced block in every parser. */
  opensFence(line: string): boolean {
    if (this.isLost || line.length > LONGEST_LEAD) return false;
    const placed = this.placed(line);
    if (!placed || placed.isDisputed) return false;
    if (!fence.test(placed.rest)) return false;
    const isOuterItem = placed.isNew && notIndented.test(line);
    if (!placed.isUnsure && (!this.isDoubtful || isOuterItem)) return true;
    return (placed.containers.some(isItem) ? fenceOutside : outerFence).test(expanded(line));
  }

  /**
   * @param line the complete line, or the start of a long one
   * @param opens whether the line was read as an opening fence
   */
  endLine(line: string, opens: boolean): void {
    const whole = expanded(line);
    if (this.fence) {
      const { rest, isInside } = continued(this.fence.containers, whole);
      const run = /^ {0,3}(`{3,}|~{3,}) *$/.exec(rest)?.[1];
      if (isInside && run?.startsWith(this.fence.run)) this.fence = undefined;
      this.isAfterEnd = true;
      return;
    }
    const placed = this.placed(line);
    if (!placed) {
      this.isLost = true;
      return;
    }
    const { rest, containers, isInside, isNew, isUnsure } = placed;
    this.isLost ||= placed.isDisputed;
    const isText = !blank.test(rest) && !opens && !heading.test(rest) && !thematicBreak.test(rest);
    const isAfterEnd = this.isAfterEnd;
    this.isAfterEnd = blank.test(rest) || heading.test(rest);
    const isLazy = this.inParagraph && !isInside && !isNew && isText;
    if (isLazy) {
      this.isDoubtful = true;
      // Some parsers end a list item at code that looks like a fence.
      this.isLost ||= fence.test(rest);
      return;
    }
    const wasInList = this.containers.some(isItem);
    const isInList = containers.some(isItem);
    const closesLists = notIndented.test(whole) && (isNew || ((isAfterEnd || !isText) && !isInList));
    const mayStayOpen = wasInList && !isInList && !isAfterEnd && !closesLists;
    this.isDoubtful = isUnsure || (!closesLists && (this.isDoubtful || mayStayOpen));
    const isContinued = this.inParagraph && isInside && !isNew;
    this.inTable = isContinued && (this.inTable || delimiterRow.test(rest));
    this.inIndentedCode =
      (isIndented(rest) && (!isContinued || this.inTable)) ||
      (blank.test(rest) && this.inIndentedCode && !isNew);
    this.inParagraph = isText && (isContinued ? !underline.test(rest) : !isIndented(rest));
    this.containers = containers;
    const run = fence.exec(rest)?.[1];
    if (opens && run !== undefined) this.fence = { run, containers };
  }

  /** Parsers expand a tab differently before a table row and around the bullet of a list item. */
  private placed(line: string): Placed | undefined {
    const placed = this.place(expanded(line), this.containers);
    if (!placed) return undefined;
    const isDisputed = placed.isDisputed || (this.inTable && /^[ >]*\t/.test(line));
    return { ...placed, isDisputed, isUnsure: placed.isUnsure || (placed.isNew && tabInLead.test(line)) };
  }

  /** Whether every parser opens the container: it interrupts a paragraph, follows none, or continues its list. */
  private isSure({ container, rest, isTimid }: Opened, depth: number): boolean {
    if (!isItem(container)) return true;
    const before = this.containers[depth];
    const isNext = before?.isSure === true && isItem(before) && before.mark === container.mark;
    return !blank.test(rest) && (!isTimid || this.isAfterEnd || isNext);
  }

  private place(line: string, containers: readonly Container[]): Placed | undefined {
    const placed = continued(containers, line);
    const open = [...placed.containers];
    let { rest } = placed;
    let isNew = false;
    let isUnsure = false;
    let isDisputed = false;
    for (;;) {
      if (open.length > MOST_CONTAINERS || line.length - rest.length > LONGEST_LEAD) return undefined;
      const interrupts = this.inParagraph && placed.isInside && !isNew;
      const opened = openedBy(rest, interrupts);
      if (!opened) {
        // More lines interrupt a table than a paragraph, and in some parsers an empty item interrupts both (not `-`,
        // which underlines a heading).
        const other = interrupts ? openedBy(rest, false) : undefined;
        const isEmptyItem = other !== undefined && blank.test(other.rest) && !underline.test(rest);
        isDisputed ||= isEmptyItem || (other !== undefined && this.inTable);
        return { ...placed, containers: open, rest, isNew, isUnsure, isDisputed };
      }
      // Some parsers let `01.` interrupt a paragraph; some let no such item interrupt indented code or start inside
      // another new item.
      isDisputed ||= opened.isTimid && (this.inIndentedCode || (this.inParagraph && (isNew || interrupts)));
      const isSure = !isNew && this.isSure(opened, open.length);
      isUnsure ||= !isSure;
      open.push({ ...opened.container, isSure });
      rest = opened.rest;
      isNew = true;
      if (blank.test(rest)) return { ...placed, containers: open, rest, isNew, isUnsure, isDisputed };
    }
  }
}

interface Opened {
  container: Container;
  rest: string;
  /** It cannot interrupt a paragraph. */
  isTimid: boolean;
}

function openedBy(line: string, interrupts: boolean): Opened | undefined {
  const quote = /^ {0,3}> ?/.exec(line);
  if (quote) return { container: { kind: 'quote' }, rest: line.slice(quote[0].length), isTimid: false };
  const opening = thematicBreak.test(line) ? null : item.exec(line);
  if (!opening) return undefined;
  const [whole, indent = '', bullet = '', ordinal, blanks = ''] = opening;
  const isEmpty = whole.length === line.length;
  const isTimid = isEmpty || (ordinal !== undefined && ordinal !== '1');
  if (interrupts && (isEmpty || (isTimid && Number(ordinal) !== 1))) return undefined;
  const width = indent.length + bullet.length + (isEmpty || blanks.length > 4 ? 1 : blanks.length);
  return { container: { kind: 'item', width, mark: bullet.slice(-1) }, rest: line.slice(width), isTimid };
}

/** Returns the containers that the line continues, and the line inside them. */
function continued(containers: readonly Container[], line: string): Placed {
  const part = { isInside: false, isNew: false, isUnsure: false, isDisputed: false };
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

/** The line with the tabs at its start expanded to spaces. */
function expanded(line: string): string {
  let out = '';
  for (const [i, character] of Array.from(line.replace(/\r$/, '')).entries()) {
    if (i > LONGEST_LEAD) return out + line.slice(i);
    out += character === '\t' ? ' '.repeat(4 - (out.length % 4)) : character;
  }
  return out;
}
