import type { Nodes, Root, RootContent } from 'mdast';
import { visit } from 'unist-util-visit';
import { isSyntaxProblem, SyntaxProblem, TooCostly } from './syntax-problem.js';

const SEGMENT_CHARACTERS = 16_000;

type Parse = (source: string) => Root;

interface Segment {
  children: RootContent[];
  end: number;
}

/**
 * micromark moves all it has read so far for each list that ends and each underlined heading: a page with thousands
 * of them takes minutes. A long page is therefore read in segments, each with the link definitions of all.
 */
export function parseInSegments(parse: Parse, source: string): Root {
  const children: RootContent[] = [];
  const definitions = source.length > SEGMENT_CHARACTERS ? definitionsIn(source) : '';
  const blocksIn = (from: number, end: number) => {
    try {
      return blocksBefore(end - from, parse(source.slice(from, end) + definitions).children);
    } catch (error) {
      throw isSyntaxProblem(error) ? belowLines(source.slice(0, from), error) : error;
    }
  };
  let start = 0;
  while (start < source.length) {
    const segment = parseSegment(blocksIn, source, start);
    for (const node of segment.children) children.push(movedBy(start, node));
    start = segment.end;
  }
  return { type: 'root', children };
}

const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]+\]:[^\n]*$/gm;
const MOST_DEFINITION_CHARACTERS = 20_000;

function definitionsIn(source: string): string {
  const definitions = (source.match(DEFINITION) ?? []).join('\n');
  return definitions.length > MOST_DEFINITION_CHARACTERS ? '' : `\n\n${definitions}`;
}

function belowLines(before: string, error: Pick<SyntaxProblem, 'reason' | 'line' | 'column'>): SyntaxProblem {
  const Problem = error instanceof TooCostly ? TooCostly : SyntaxProblem;
  return new Problem(error.reason, before.split('\n').length - 1 + error.line, error.column, error);
}

function blocksBefore(end: number, blocks: RootContent[]): RootContent[] {
  return blocks.filter(({ position }) => (position?.start.offset ?? 0) < end);
}

type BlocksIn = (start: number, end: number) => RootContent[];

function parseSegment(blocksIn: BlocksIn, source: string, start: number): Segment {
  for (let size = SEGMENT_CHARACTERS; start + size < source.length; size *= 2) {
    const segment = completeBlocks(blocksIn, source, start, lineBefore(source, start + size));
    if (segment) return segment;
  }
  return { children: blocksIn(start, source.length), end: source.length };
}

/** The end of a line, before a heading if one is near: MDX elements seldom span headings. */
function lineBefore(source: string, offset: number): number {
  const heading = source.indexOf('\n#', offset);
  if (heading !== -1 && heading < offset + SEGMENT_CHARACTERS) return heading + 1;
  const lineEnd = source.indexOf('\n', offset);
  return lineEnd === -1 ? source.length : lineEnd + 1;
}

/** The blocks that later text cannot change: those before the last independent one. */
function completeBlocks(blocksIn: BlocksIn, source: string, start: number, end: number): Segment | undefined {
  try {
    const blocks = blocksIn(start, end);
    const last = blocks.findLastIndex((block, index) => index > 0 && beginsAnew(source, start, block));
    const next = blocks[last]?.position?.start.offset;
    return next === undefined ? undefined : { children: blocks.slice(0, last), end: start + next };
  } catch (error) {
    if (error instanceof TooCostly || !isSyntaxProblem(error)) throw error;
    // An element of MDX is still open.
    return undefined;
  }
}

/** Whether a block is parsed alike at the start of a page: not indented, with a letter or as a heading. */
function beginsAnew(source: string, start: number, { position }: RootContent): boolean {
  const { column, offset } = position?.start ?? {};
  return column === 1 && offset !== undefined && /[#\p{L}]/u.test(source.charAt(start + offset));
}

function movedBy(offset: number, tree: RootContent): RootContent {
  visit(tree, ({ position }: Nodes) => {
    for (const point of position && offset > 0 ? [position.start, position.end] : [])
      point.offset = (point.offset ?? 0) + offset;
  });
  return tree;
}
