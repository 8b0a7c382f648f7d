import { insertRuns, type Database, type NewRun } from '@quire/shared/database';
import type { WriteCheck } from '../health/write-check.js';

const MAX_BATCH = 200;

interface Waiting {
  run: NewRun;
  resolve(isInserted: boolean): void;
  reject(error: unknown): void;
}

/** Inserts runs into Postgres. A run alone is inserted at once; those that arrive during a statement share the next. */
export class RunInserter {
  private waiting: Waiting[] = [];
  private busy = false;

  /** @param writes is notified of the result of each write */
  constructor(
    private readonly db: Database,
    private readonly writes?: Pick<WriteCheck, 'refused' | 'succeeded'>,
  ) {}

  /** Returns false if the run's Idempotency-Key names another run. */
  insert(run: NewRun): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ run, resolve, reject });
      if (!this.busy) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.busy = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      try {
        const inserted = await insertRuns(
          this.db,
          batch.map(({ run }) => run),
        );
        this.writes?.succeeded();
        for (const { run, resolve } of batch) resolve(inserted.has(run.id));
      } catch (error) {
        this.writes?.refused(error);
        for (const { reject } of batch) reject(error);
      }
    }
    this.busy = false;
  }
}
