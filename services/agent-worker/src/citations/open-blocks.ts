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
  /** The line opens two containers or more. */
  isNested: boolean;
}

const LONGEST_LEAD = 200;
const MOST_CONTAINERS = 20;
const item = /^( {0,3})([-*+]|(\d{1,9})[.)])( +|$)/;
const thematicBreak = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;
const heading = /^ {0,3}#{1,6}(?: |$)/;
const underline = /^ {0,3}(?:=+|-+) *$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/**
 * The block structure of a Markdown text line by line, as CommonMark has it: which quotes and lists are open, and so
 * whether a fence opens here and where its block ends.
 */
export class OpenBlocks {
  private containers: readonly Container[] = [];
  private fence: { run: string; containers: readonly Container[] } | undefined;
  private inParagraph = false;
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
    const run = fence.exec(this.place(expanded(line), this.containers)?.rest ?? '')?.[1];
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
    const { rest, containers, isInside, isNew, isBare, isNested } = placed;
    // Parsers disagree whether an empty item within a new one interrupts a paragraph.
    if (isBare && isNested && this.inParagraph) this.isLost = true;
    const isText = rest.trim() !== '' && !opens && !heading.test(rest) && !thematicBreak.test(rest);
    const isLazy = this.inParagraph && !isInside && !isNew && isText;
    if (isLazy) {
      this.isDoubtful = true;
      return;
    }
    if (isNew || containers.length === 0) this.isDoubtful = false;
    this.isDoubtful ||= isBare;
    const goesOn = this.inParagraph && isInside && !isNew;
    this.inParagraph = isText && (goesOn ? !underline.test(rest) : !rest.startsWith('    '));
    this.containers = containers;
    const run = fence.exec(rest)?.[1];
    if (opens && run !== undefined) this.fence = { run, containers };
  }

  private place(line: string, containers: readonly Container[]): Placed | undefined {
    const placed = continued(containers, line);
    const open = [...placed.containers];
    let { rest } = placed;
    let isNew = false;
    for (;;) {
      if (open.length > MOST_CONTAINERS || line.length - rest.length > LONGEST_LEAD) return undefined;
      const interrupts = this.inParagraph && placed.isInside && !isNew;
      const opened = openedBy(rest, interrupts);
      if (!opened) return { ...placed, containers: open, rest, isNew, isBare: false };
      open.push(opened.container);
      rest = opened.rest;
      isNew = true;
      if (rest.trim() === '') {
        const isNested = open.length - placed.containers.length > 1;
        const isBare = opened.container.kind === 'item';
        return { ...placed, containers: open, rest, isNew, isBare, isNested };
      }
    }
  }
}

function openedBy(line: string, interrupts: boolean): { container: Container; rest: string } | undefined {
  const quote = /^ {0,3}> ?/.exec(line);
  if (quote) return { container: { kind: 'quote' }, rest: line.slice(quote[0].length) };
  const begun = thematicBreak.test(line) ? null : item.exec(line);
  if (!begun) return undefined;
  const [whole, indent = '', bullet = '', ordinal, blanks = ''] = begun;
  const isEmpty = whole.length === line.length;
  if (interrupts && (isEmpty || (ordinal !== undefined && Number(ordinal) !== 1))) return undefined;
  const width = indent.length + bullet.length + (isEmpty || blanks.length > 4 ? 1 : blanks.length);
  return { container: { kind: 'item', width }, rest: line.slice(width) };
}

/** The containers that a line goes on, and what it is within them. */
function continued(containers: readonly Container[], line: string): Placed {
  const part = { isInside: false, isNew: false, isBare: false, isNested: false };
  let rest = line;
  for (const [i, container] of containers.entries()) {
    if (container.kind === 'quote') {
      const mark = /^ {0,3}> ?/.exec(rest);
      if (!mark) return { ...part, containers: containers.slice(0, i), rest };
      rest = rest.slice(mark[0].length);
    } else if (rest.trim() !== '') {
      if (!rest.startsWith(' '.repeat(container.width))) {
        return { ...part, containers: containers.slice(0, i), rest };
      }
      rest = rest.slice(container.width);
    }
  }
  return { ...part, containers, rest, isInside: true };
}

/** With the tabs of its beginning as blanks. */
function expanded(line: string): string {
  let out = '';
  for (const [i, character] of Array.from(line.replace(/\r$/, '')).entries()) {
    if (i > LONGEST_LEAD) return out + line.slice(i);
    out += character === '\t' ? ' '.repeat(4 - (out.length % 4)) : character;
  }
  return out;
}
