import type { Span } from './spans.js';

/** A part of the page that no chunk splits. */
export interface Piece extends Span {
  text: string;
}

export interface HeadingEvent {
  type: 'heading';
  depth: number;
  text: string;
  /** As the site generates it. */
  anchor: string | undefined;
  line: Piece;
}

/** A page in reading order, whatever its format. */
export type OutlineEvent =
  | HeadingEvent
  | { type: 'piece'; piece: Piece }
  /** A hole: text here that no chunk may contain. */
  | { type: 'noise' }
  /** The following events belong to a named part of the page, a tab or a fold, until it is left. */
  | { type: 'enter'; label: string }
  | { type: 'leave' };

export interface Outline {
  events: OutlineEvent[];
  /** The page's own title, if it has one. */
  title: string | undefined;
  /** Whether the page has enough prose to be found. */
  isStub: boolean;
  /** The text of a chunk of these neighbouring pieces. */
  textOf: (pieces: readonly Piece[]) => string;
}
