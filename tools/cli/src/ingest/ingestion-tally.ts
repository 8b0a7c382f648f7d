import type { LeftOut, LeftOutReason } from '@quire/book/sources';
import type { PageIngested, PageSkip } from '@quire/shared/contracts';

export interface LeftOutPage {
  path: string;
  reason: LeftOutReason | PageSkip;
  /** The page that stands for this one. */
  of?: string;
}

export interface FailedPage {
  path: string;
  reason: string;
}

/** What has become of a book's pages so far. */
export class IngestionTally {
  readonly ingested: string[] = [];
  readonly failed: FailedPage[] = [];
  leftOut: LeftOutPage[];
  chunks = 0;
  embedded = 0;
  carried = 0;
  /** What is being done: pages, or chunks of an index that is replaced. */
  stage: 'pages' | 'carrying' = 'pages';
  readonly #leftOutUnread: number;

  constructor(
    readonly found: number,
    leftOut: readonly LeftOut[],
  ) {
    this.leftOut = [...leftOut];
    this.#leftOutUnread = leftOut.length;
  }

  /** How many of the found pages need nothing more. */
  get settled(): number {
    return this.ingested.length + this.failed.length + this.leftOut.length - this.#leftOutUnread;
  }

  /** The pages that the book has now. Those that failed are among them: their earlier text is better than none. */
  get keptPaths(): string[] {
    return [...this.ingested, ...this.failed.map(({ path }) => path)].toSorted();
  }

  leaveOut(page: LeftOutPage): void {
    this.leftOut.push(page);
  }

  fail(path: string, reason: string): void {
    this.failed.push({ path, reason });
  }

  take({ path, chunks, embedded, skipped }: PageIngested): void {
    this.chunks += chunks;
    this.embedded += embedded;
    if (skipped) this.leaveOut({ path, reason: skipped });
    else this.ingested.push(path);
  }

  /** Takes back the pages that were left out for the sake of one that did not get in itself. */
  takeBackOrphans(): { path: string; of: string }[] {
    const ingested = new Set(this.ingested);
    const isOrphan = ({ of }: LeftOutPage) => of !== undefined && !ingested.has(of);
    const orphans = this.leftOut.filter(isOrphan);
    this.leftOut = this.leftOut.filter((page) => !isOrphan(page));
    return orphans.map(({ path, of = '' }) => ({ path, of }));
  }
}
