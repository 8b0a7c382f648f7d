import type { Redis } from 'ioredis';
import { regainLock } from './bullmq/regain-lock.js';
import type { QueueName } from './job-catalogue.js';
import type { Suspects } from './suspects.js';

/** The lock of a job that this process executes. */
export interface HeldLock {
  token: string;
  /** How often the job had been taken when it got this lock. */
  takes: number;
  hasExpired: boolean;
}

/** Locks that expire although their worker is alive, as in an outage of Redis. */
export class ExpiredLocks {
  constructor(
    private readonly redis: Redis,
    private readonly queue: QueueName,
    private readonly lockMs: number,
    private readonly suspects: Pick<Suspects, 'excuse'>,
  ) {}

  /** Sets a lock again that could not be renewed; the job is excused if another worker has it, or will have it. */
  async regain(jobId: string, lock: HeldLock): Promise<void> {
    const { token, takes } = lock;
    const isHeld = await regainLock(this.redis, this.queue, { id: jobId, token, takes }, this.lockMs);
    // A job that was taken again meanwhile has been excused.
    if (!isHeld && lock.token === token) this.excuse(jobId, lock);
  }

  /** For a job that this process takes again while it still executes it. */
  replace(jobId: string, lock: HeldLock, { token, takes }: Pick<HeldLock, 'token' | 'takes'>): void {
    this.excuse(jobId, lock);
    Object.assign(lock, { token, takes, hasExpired: false });
  }

  private excuse(jobId: string, lock: HeldLock): void {
    if (lock.hasExpired) return;
    lock.hasExpired = true;
    this.suspects.excuse(jobId).catch(() => {});
  }
}
