import { DependencyUnavailable } from '@quire/shared/errors';
import { countWorkers } from '@quire/shared/process';
import type { Redis } from 'ioredis';

const defaultPatience = {
  checkEveryMs: 1000,
  /** How long no worker is seen before this is reported, and before the watch gives up. */
  reportAfterMs: 5000,
  giveUpAfterMs: 60_000,
};
export type WorkerPatience = typeof defaultPatience;

/** Checks that a retrieval worker runs, so that an ingestion does not wait for one for ever. */
export class WorkerWatch {
  private lastSeenAt = Date.now();
  private checkedAt = 0;
  private reported = false;

  constructor(
    private readonly redis: Redis,
    private readonly onMissing: () => void,
    private readonly patience: WorkerPatience = defaultPatience,
  ) {}

  /** Rejects once no worker has been seen for too long. */
  async check(): Promise<void> {
    const now = Date.now();
    if (now - this.checkedAt < this.patience.checkEveryMs) return;
    this.checkedAt = now;
    if ((await countWorkers(this.redis, 'retrieval-worker')) > 0) {
      this.lastSeenAt = now;
      this.reported = false;
      return;
    }
    const missingMs = now - this.lastSeenAt;
    if (missingMs >= this.patience.giveUpAfterMs) {
      throw new DependencyUnavailable(
        'RETRIEVAL_UNAVAILABLE',
        'No retrieval worker has started: start one and try again.',
      );
    }
    if (missingMs < this.patience.reportAfterMs || this.reported) return;
    this.reported = true;
    this.onMissing();
  }
}
