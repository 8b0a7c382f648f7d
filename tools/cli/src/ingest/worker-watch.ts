import { countWorkers } from '@quire/shared/process';
import type { Redis } from 'ioredis';
import { CommandFailure } from '../command-failure.js';

export interface WorkerPatience {
  checkEveryMs: number;
  /** Without a worker for this long, the user is told; after the other, waiting ends. */
  tellAfterMs: number;
  giveUpAfterMs: number;
}

export const defaultPatience: WorkerPatience = {
  checkEveryMs: 1000,
  tellAfterMs: 5000,
  giveUpAfterMs: 60_000,
};

/** Notices when nobody is there to do the work, so that waiting never turns into hanging. */
export class WorkerWatch {
  private lastSeenAt = Date.now();
  private checkedAt = 0;
  private told = false;

  constructor(
    private readonly redis: Redis,
    private readonly note: (text: string) => void,
    private readonly patience: WorkerPatience = defaultPatience,
  ) {}

  async check(): Promise<void> {
    const now = Date.now();
    if (now - this.checkedAt < this.patience.checkEveryMs) return;
    this.checkedAt = now;
    if ((await countWorkers(this.redis, 'retrieval-worker')) > 0) {
      this.lastSeenAt = now;
      this.told = false;
      return;
    }
    const missingMs = now - this.lastSeenAt;
    if (missingMs >= this.patience.giveUpAfterMs) {
      throw new CommandFailure('No retrieval worker has come up: start one and run the same command again.');
    }
    if (missingMs < this.patience.tellAfterMs || this.told) return;
    this.told = true;
    this.note(
      'No retrieval worker is running; waiting for one (start it with `npm start` or `docker compose up`).',
    );
  }
}
