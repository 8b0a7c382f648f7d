import type { Node } from 'unist';
import type { Span } from './spans.js';

/** Where a parsed node stands in the source; nodes the parser made up stand nowhere. */
export function spanOf({ position }: Pick<Node, 'position'>): Span {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}
