import type { LeftOutReason } from './book-source.js';

/** One page cannot be read, for this reason; other pages can. */
export class UnreadablePage extends Error {
  /** Set when the page is not part of the book, which is no failure. */
  readonly leftOut: LeftOutReason | undefined;

  constructor(message: string, options: ErrorOptions & { leftOut?: LeftOutReason } = {}) {
    super(message, options);
    this.name = 'UnreadablePage';
    this.leftOut = options.leftOut;
  }
}

/** Nothing can be ingested from this source; the message says why, and what would help. */
export class UnusableSource extends Error {
  override readonly name = 'UnusableSource';
}
