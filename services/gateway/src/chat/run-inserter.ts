import { insertRuns, type Database, type NewRun } from '@quire/shared/database';
import type { WriteCheck } from '../health/write-check.js';

const MAX_BATCH = 200;

interface Waiting {
  run: NewRun;
  resolve(accepted: boolean): void;
  reject(error: unknown): void;
}

/**
 * Writes accepted runs to Postgres. A run that arrives alone is written at once; those that arrive while a
 * statement is under way share the next one.
 */
export class RunInserter {
  private waiting: Waiting[] = [];
  private busy = false;

  /** @param writes is told how each write went */
  constructor(
    private readonly db: Database,
    private readonly writes?: Pick<WriteCheck, 'refused' | 'succeeded'>,
  ) {}

  /** Whether the run was accepted: its idempotency key may name another one. */
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
        const accepted = await insertRuns(
          this.db,
          batch.map(({ run }) => run),
        );
        this.writes?.succeeded();
        for (const { run, resolve } of batch) resolve(accepted.has(run.id));
      } catch (error) {
        this.writes?.refused(error);
        for (const { reject } of batch) reject(error);
      }
    }
    this.busy = false;
  }
}
