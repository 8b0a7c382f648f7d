import type { Heading, ListItem, RootContent } from 'mdast';
import { TARGET_CHARACTERS, WHOLE_BLOCK_CHARACTERS } from '../chunk-size.js';
import type { OutlineEvent, Piece } from '../outline.js';
import { spansWithin, trimSpan, type Span } from '../spans.js';
import { hasDirectiveTitle } from './container-directives.js';
import { sectionLabel } from './container-label.js';
import { cutLeaf } from './cut-leaf.js';
import type { AnchoredHeading } from './heading-anchors.js';
import { isDetailsTag } from './html-details.js';
import { isNoise } from './noise.js';
import { shownText, type ShownSource } from './shown-source.js';
import { spanOf } from '../span-of.js';

export interface MarkdownPage extends ShownSource {
  children: readonly RootContent[];
  headings: ReadonlyMap<Heading, AnchoredHeading>;
}

type Block = RootContent | ListItem;
type Admonition = Extract<Block, { type: 'containerDirective' }>;
type Events = Generator<OutlineEvent, void>;

/** Text before a container's first block that belongs to it: a list marker, an admonition's title. */
interface Lead {
  start: number;
  /** Kept when the first block is not. */
  isProse: boolean;
}

/** The page in reading order: a container that fits is one piece, a larger one is split into its children. */
export function* markdownOutline(page: MarkdownPage): Events {
  yield* flow(page, page.children, true);
}

function* flow(page: MarkdownPage, blocks: readonly Block[], opensSections: boolean, lead?: Lead): Events {
  for (const [index, block] of blocks.entries()) {
    const start = index === 0 && lead ? lead.start : spanOf(block).start;
    if (block.type === 'heading' && opensSections) {
      yield* sectionHeading(page, block);
    } else if (isNoise(block)) {
      const before = { start, end: spanOf(block).start };
      if (index === 0 && lead?.isProse === true) yield { type: 'piece', piece: pieceOf(page, before) };
    } else {
      yield* blockEvents(page, block, { start, end: spanOf(block).end }, opensSections);
    }
  }
}

function* sectionHeading(page: MarkdownPage, heading: Heading): Events {
  const { text, anchor } = page.headings.get(heading) ?? { text: '', anchor: undefined };
  const span = spanOf(heading);
  yield { type: 'heading', depth: heading.depth, text, anchor, line: pieceOf(page, span) };
}

function* blockEvents(page: MarkdownPage, block: Block, span: Span, opensSections: boolean): Events {
  const text = shownText(page, span);
  if (spansWithin(page.holes, span).length > 0 && !saysSomething(page, block, text)) return;
  const mustBeTakenApart = opensSections && holdsHeading(block);
  const isWhole = text.length <= wholeLimit(block) && !mustBeTakenApart;
  const label = sectionLabel(block, isWhole);
  if (label !== '') yield { type: 'enter', label };
  if (isWhole) yield { type: 'piece', piece: pieceOf(page, span) };
  else yield* takenApart(page, block, span, opensSections);
  if (label !== '') yield { type: 'leave' };
}

function* takenApart(page: MarkdownPage, block: Block, span: Span, opensSections: boolean): Events {
  if (block.type === 'list') {
    for (const [index, item] of block.children.entries()) {
      const own = spanOf(item);
      yield* blockEvents(page, item, index === 0 ? { ...own, start: span.start } : own, false);
    }
  } else if (
    block.type === 'listItem' ||
    block.type === 'blockquote' ||
    block.type === 'footnoteDefinition'
  ) {
    yield* flow(page, block.children, false, { start: span.start, isProse: false });
  } else if (block.type === 'containerDirective') {
    const inside = block.children.filter((child) => !isLabel(child));
    const lead = isTitled(page, block) ? { start: span.start, isProse: true } : undefined;
    yield* flow(page, inside, false, lead);
  } else if (block.type === 'mdxJsxFlowElement' || block.type === 'detailsElement') {
    const inside = block.children.filter((child) => !isDetailsTag(child, block));
    yield* flow(page, inside, opensSections);
  } else {
    yield* cutLeaf(page, block.type, span);
  }
}

/** Markers around a hole and the kind of an admonition are no content. */
function saysSomething(page: MarkdownPage, block: Block, text: string): boolean {
  if (block.type === 'containerDirective')
    return isTitled(page, block) || block.children.some((child) => !isNoise(child));
  return /[\p{L}\p{N}]/u.test(text);
}

function isTitled({ source }: MarkdownPage, admonition: Admonition): boolean {
  return admonition.children.some(isLabel) || hasDirectiveTitle(source, spanOf(admonition).start);
}

const isLabel = ({ data }: RootContent) => data !== undefined && 'directiveLabel' in data;

function wholeLimit({ type }: Block): number {
  const staysWhole = type === 'code' || type === 'table' || type === 'listItem' || type === 'html';
  return staysWhole ? WHOLE_BLOCK_CHARACTERS : TARGET_CHARACTERS;
}

/** Headings inside tags start sections; those inside lists, quotes and admonitions do not. */
function holdsHeading(block: Block): boolean {
  if (block.type !== 'mdxJsxFlowElement' && block.type !== 'detailsElement') return false;
  return block.children.some((child) => child.type === 'heading' || holdsHeading(child));
}

function pieceOf(page: MarkdownPage, span: Span): Piece {
  const beginsWithHole = spansWithin(page.holes, span)[0]?.start === span.start;
  const trimmed = trimSpan(page.masked, span, beginsWithHole ? 'prose' : 'code');
  return { ...trimmed, text: shownText(page, trimmed) };
}
