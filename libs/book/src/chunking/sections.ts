import type { HeadingEvent, OutlineEvent, Piece } from './outline.js';

/** A piece, and whether a hole separates it from the one before. */
export interface SectionPiece extends Piece {
  afterNoise: boolean;
}

/** The text between two headings, or inside one tab or fold. */
export interface Section {
  /** Headings from the outermost to this one, without the page's title. */
  path: string[];
  anchor: string | undefined;
  /** The number of its top-level section; no chunk spans two of them. */
  part: number;
  /** Whether it is a tab or fold, or inside one. */
  isNamedPart: boolean;
  /** Absent at the start of the page and around tabs and folds. */
  heading: SectionPiece | undefined;
  pieces: SectionPiece[];
}

export function sectionsOf(events: readonly OutlineEvent[], title: string): Section[] {
  const headings = events.filter((event) => event.type === 'heading');
  const reading = new Reading(topLevelOf(headings), titleHeadingOf(headings, title));
  for (const event of events) reading.take(event);
  return reading.sections.map((section, index, all) =>
    isNamedLater(section, all, index + 1) ? section : withHeadingAsText(section),
  );
}

/** Whether the path of the next section includes this section's heading. */
function isNamedLater({ path }: Section, all: readonly Section[], from: number): boolean {
  for (let index = from; index < all.length; index += 1) {
    const next = all[index];
    const isBelow = path.every((name, depth) => next?.path[depth] === name);
    const isOther = next?.heading !== undefined && next.path.length <= path.length;
    if (next === undefined || !isBelow || isOther) return false;
    if (next.heading !== undefined || next.pieces.length > 0) return true;
  }
  return false;
}

/** A heading without text below it, and in no other path, is the text of its section. */
function withHeadingAsText(section: Section): Section {
  const { heading, path, pieces } = section;
  if (heading === undefined || path.length === 0 || pieces.length > 0) return section;
  return { ...section, heading: undefined, pieces: [heading] };
}

/** The outermost level that repeats, else the outermost below the page's title. */
function topLevelOf(headings: readonly HeadingEvent[]): number {
  const depths = headings.map(({ depth }) => depth).toSorted((a, b) => a - b);
  const repeated = depths.find((depth, index) => depths[index + 1] === depth);
  return repeated ?? depths.find((depth) => depth > 1) ?? 1;
}

/** The first H1 is the page's title, unless there are several and it differs. */
function titleHeadingOf(headings: readonly HeadingEvent[], title: string): HeadingEvent | undefined {
  const [first, ...others] = headings.filter(({ depth }) => depth === 1);
  return others.length === 0 || first?.text === title ? first : undefined;
}

interface Position {
  /** The path down to the label of the tab or fold that is being read; empty outside of one. */
  around: string[];
  headings: HeadingEvent[];
  anchor: string | undefined;
  part: number;
}

class Reading {
  readonly sections: Section[] = [];
  private position: Position = { around: [], headings: [], anchor: undefined, part: 0 };
  private readonly outer: Position[] = [];
  private parts = 0;
  private afterNoise = false;
  private current = this.open();

  constructor(
    private readonly topLevel: number,
    private readonly titleHeading: HeadingEvent | undefined,
  ) {}

  take(event: OutlineEvent): void {
    if (event.type === 'noise') this.afterNoise = true;
    else if (event.type === 'piece') this.current.pieces.push(this.toSectionPiece(event.piece));
    else if (event.type === 'heading') this.passHeading(event);
    else if (event.type === 'enter') this.enter(event.label);
    else this.leave();
  }

  private passHeading(heading: HeadingEvent): void {
    const isTitle = heading === this.titleHeading;
    const above = this.position.headings.filter(({ depth }) => depth < heading.depth);
    if (heading.depth <= this.topLevel) this.parts += 1;
    this.position = {
      around: this.position.around,
      headings: isTitle ? above : [...above, heading],
      anchor: isTitle ? undefined : heading.anchor,
      part: this.parts,
    };
    this.current = this.open(this.toSectionPiece(heading.line));
  }

  private enter(label: string): void {
    this.outer.push(this.position);
    this.position = { ...this.position, around: [...this.current.path, label], headings: [] };
    this.current = this.open();
  }

  private leave(): void {
    const outer = this.outer.pop() ?? this.position;
    // A top-level heading inside ends the part around it.
    if (this.position.part !== outer.part) this.parts += 1;
    this.position = { ...outer, part: this.parts };
    this.current = this.open();
  }

  private open(heading?: SectionPiece): Section {
    const { around, headings, anchor, part } = this.position;
    const path = [...around, ...headings.map(({ text }) => text)];
    const section = { path, anchor, part, isNamedPart: around.length > 0, heading, pieces: [] };
    this.sections.push(section);
    return section;
  }

  private toSectionPiece({ start, end, text }: Piece): SectionPiece {
    const { afterNoise } = this;
    this.afterNoise = false;
    return { start, end, text, afterNoise };
  }
}
