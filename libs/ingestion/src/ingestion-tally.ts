import type { LeftOut, LeftOutReason } from '@quire/book/sources';
import type { PageIngested, PageSkip } from '@quire/shared/contracts';
import type { IngestionProgress } from './ingestion-event.js';

export interface LeftOutPage {
  path: string;
  reason: LeftOutReason | PageSkip;
  /** The page that this one duplicates. */
  of?: string;
}

export interface FailedPage {
  path: string;
  reason: string;
}

/** Counts what has become of a book's pages so far. */
export class IngestionTally {
  readonly ingested: string[] = [];
  readonly failed: FailedPage[] = [];
  leftOut: LeftOutPage[];
  chunks = 0;
  embedded = 0;
  /** Chunks copied from the index that is replaced, and whether they are being copied now. */
  carried = 0;
  carrying = false;
  readonly #leftOutUnread: number;

  constructor(
    readonly found: number,
    leftOut: readonly LeftOut[],
  ) {
    this.leftOut = [...leftOut];
    this.#leftOutUnread = leftOut.length;
  }

  get progress(): IngestionProgress {
    const { found, finished, chunks, carried } = this;
    return this.carrying
      ? { type: 'carry', carried }
      : { type: 'pages', found, finished, chunks, failed: this.failed.length };
  }

  /** How many of the found pages need nothing more. */
  get finished(): number {
    return this.ingested.length + this.failed.length + this.leftOut.length - this.#leftOutUnread;
  }

  /** The pages that stay in the index. Failed ones are among them: their earlier text is better than none. */
  get keptPaths(): string[] {
    return [...this.ingested, ...this.failed.map(({ path }) => path)].toSorted();
  }

  leaveOut(page: LeftOutPage): void {
    this.leftOut.push(page);
  }

  fail(path: string, reason: string): void {
    this.failed.push({ path, reason });
  }

  add({ path, chunks, embedded, skipped }: PageIngested): void {
    this.chunks += chunks;
    this.embedded += embedded;
    if (skipped) this.leaveOut({ path, reason: skipped });
    else this.ingested.push(path);
  }

  /** Removes and returns the pages that were left out as duplicates of a page that was not ingested. */
  removeOrphans(): { path: string; of: string }[] {
    const ingested = new Set(this.ingested);
    const isOrphan = ({ of }: LeftOutPage) => of !== undefined && !ingested.has(of);
    const orphans = this.leftOut.filter(isOrphan);
    this.leftOut = this.leftOut.filter((page) => !isOrphan(page));
    return orphans.map(({ path, of = '' }) => ({ path, of }));
  }
}
