import type { Span } from './spans.js';

/** A stretch of the page that a chunk takes as it is; chunks are made of whole pieces. */
export interface Piece extends Span {
  text: string;
}

export interface HeadingEvent {
  type: 'heading';
  depth: number;
  text: string;
  /** As the site renders it. */
  anchor: string | undefined;
  line: Piece;
}

/** A page in reading order, whatever its format. */
export type OutlineEvent =
  | HeadingEvent
  | { type: 'piece'; piece: Piece }
  /** Something stands here that no chunk may hold. */
  | { type: 'noise' }
  /** What follows, until it is left, stands in a named part of the page: a tab, a fold. */
  | { type: 'enter'; label: string }
  | { type: 'leave' };

export interface Outline {
  events: OutlineEvent[];
  /** Of the page itself, where it names one. */
  title: string | undefined;
  /** Whether there is enough prose to find the page by. */
  isStub: boolean;
  /** What a chunk of these neighbouring pieces says. */
  textOf: (pieces: readonly Piece[]) => string;
}
