import type { LeftOutReason } from './book-source.js';

/** The fault of one page, told to the user; the others go on. */
export class UnreadablePage extends Error {
  /** Set when the page does not belong to the book after all, which is no failure. */
  readonly leftOut: LeftOutReason | undefined;

  constructor(message: string, options: ErrorOptions & { leftOut?: LeftOutReason } = {}) {
    super(message, options);
    this.name = 'UnreadablePage';
    this.leftOut = options.leftOut;
  }
}

/** Nothing can be ingested from here: says to the user why, and what would help. */
export class UnusableSource extends Error {
  override readonly name = 'UnusableSource';
}
