import type { Node } from 'unist';
import type { Span } from './spans.js';

/** The span of a node in the source; empty at 0 for nodes that the parser inserted. */
export function spanOf({ position }: Pick<Node, 'position'>): Span {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}
