import type { ListItem, RootContent } from 'mdast';
import { cutSpan, type Span } from './spans.js';

/** Characters a chunk aims at; code blocks and tables stay whole up to twice as much. */
export const TARGET_CHARACTERS = 1200;
const WHOLE_BLOCK_CHARACTERS = 2 * TARGET_CHARACTERS;

/** Packs the blocks of one section into spans near the target, in order, without overlap. */
export function packBlocks(source: string, blocks: readonly RootContent[]): Span[] {
  const packed: Span[] = [];
  let open: Span | undefined;
  for (const block of blocks) {
    if (isNotProse(block)) {
      open = undefined;
      continue;
    }
    for (const piece of piecesOf(source, block)) {
      if (open && piece.end - open.start <= TARGET_CHARACTERS) {
        open.end = piece.end;
      } else {
        open = { ...piece };
        packed.push(open);
      }
    }
  }
  return packed;
}

function isNotProse(block: RootContent): boolean {
  if (block.type === 'html') return /^<!--[^]*-->$/.test(block.value.trim());
  return block.type === 'yaml' || block.type === 'thematicBreak' || block.type === 'definition';
}

function piecesOf(source: string, block: RootContent | ListItem): Span[] {
  const span = { start: block.position?.start.offset ?? 0, end: block.position?.end.offset ?? 0 };
  const size = span.end - span.start;
  const staysWhole = block.type === 'code' || block.type === 'table';
  if (size <= (staysWhole ? WHOLE_BLOCK_CHARACTERS : TARGET_CHARACTERS)) return [span];
  if (block.type === 'list') return block.children.flatMap((item) => piecesOf(source, item));
  return cutSpan(
    source,
    span,
    TARGET_CHARACTERS,
    block.type === 'paragraph' || block.type === 'listItem' ? 'prose' : 'line',
  );
}
