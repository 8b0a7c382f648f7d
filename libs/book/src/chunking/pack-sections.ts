import { SHORT_SECTION_CHARACTERS, TARGET_CHARACTERS } from './chunk-size.js';
import type { Piece } from './outline.js';
import type { SectionPiece, Section } from './sections.js';

export interface PackedChunk {
  /** The section in which the chunk starts, or the tab or fold that follows its first text. */
  section: Section;
  /** Sections that were joined to it. */
  joined: Section[];
  pieces: SectionPiece[];
  /** False when a part of a section is in another chunk. */
  holdsWholeSections: boolean;
}

type TextOf = (pieces: readonly Piece[]) => string;

/** Packs pieces into chunks near the target, in order; short sections join a neighbour of the same part. */
export function packSections(sections: readonly Section[], textOf: TextOf): PackedChunk[] {
  const chunks: PackedChunk[] = [];
  const isShort = (pieces: readonly Piece[]) => textOf(pieces).length < SHORT_SECTION_CHARACTERS;
  let headings: SectionPiece[] = [];
  for (const section of sections) {
    if (section.heading) headings.push(section.heading);
    const [first, ...rest] = packPieces(section.pieces, textOf);
    if (first === undefined) continue;
    const before = chunks.at(-1);
    const following = [...headings, ...first];
    if (
      before?.section.part === section.part &&
      (isShort(section.pieces) || (before.holdsWholeSections && isShort(before.pieces))) &&
      canFollow(before.pieces, following, textOf)
    ) {
      before.pieces.push(...following);
      before.joined.push(section);
      if (isLeadIn(before.section, section)) before.section = section;
      before.holdsWholeSections &&= rest.length === 0;
    } else {
      chunks.push({ section, joined: [], pieces: first, holdsWholeSections: rest.length === 0 });
    }
    chunks.push(...rest.map((pieces) => ({ section, joined: [], pieces, holdsWholeSections: false })));
    headings = [];
  }
  return chunks;
}

function isLeadIn(before: Section, section: Section): boolean {
  const isInside = before.path.every((name, depth) => section.path[depth] === name);
  return section.isNamedPart && !before.isNamedPart && isInside && section.anchor === before.anchor;
}

function packPieces(pieces: readonly SectionPiece[], textOf: TextOf): SectionPiece[][] {
  const packed: SectionPiece[][] = [];
  for (const piece of pieces) {
    const open = packed.at(-1);
    if (open && canFollow(open, [piece], textOf)) open.push(piece);
    else packed.push([piece]);
  }
  return packed;
}

function canFollow(before: readonly SectionPiece[], added: readonly SectionPiece[], textOf: TextOf): boolean {
  return (
    !added.some(({ afterNoise }) => afterNoise) && textOf([...before, ...added]).length <= TARGET_CHARACTERS
  );
}
