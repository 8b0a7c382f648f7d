import { overdueAt, unfinishedAmong, type Database, type NewRun } from '@quire/shared/database';
import { PeriodicTask } from '@quire/shared/time';
import type { Slot } from './slots.js';

const CHECK_EVERY_MS = 250;

interface HeldSlot {
  slot: Slot;
  overdueAt: number;
}

/**
 * The slots that runs hold until they have ended. Postgres is asked for the ends of runs that no client of this gateway
 * follows. The slot of an overdue run is released without asking: with no worker alive, its end may never be stored.
 */
export class RunSlots {
  private readonly held = new Map<string, HeldSlot>();
  private readonly followed = new Set<string>();
  /** Releases the slots of runs that have ended. While Postgres is away, the next pass tries again. */
  readonly endCheck = new PeriodicTask(CHECK_EVERY_MS, () => this.releaseEnded());

  constructor(private readonly db: Database) {}

  hold(run: Pick<NewRun, 'id' | 'deadlineAt'>, slot: Slot): void {
    this.held.set(run.id, { slot, overdueAt: overdueAt(run) });
  }

  /** @param following resolves when a client no longer follows the run, to whether the run has ended */
  async whileFollowed(runId: string, following: Promise<boolean>): Promise<void> {
    this.followed.add(runId);
    try {
      if (await following) this.release(runId);
    } finally {
      this.followed.delete(runId);
    }
  }

  private release(runId: string): void {
    this.held.get(runId)?.slot.release();
    this.held.delete(runId);
  }

  private async releaseEnded(): Promise<void> {
    const now = Date.now();
    for (const [runId, held] of this.held) if (now > held.overdueAt) this.release(runId);
    const unfollowed = [...this.held.keys()].filter((runId) => !this.followed.has(runId));
    if (unfollowed.length === 0) return;
    const unfinished = await unfinishedAmong(this.db, unfollowed);
    for (const runId of unfollowed) if (!unfinished.has(runId)) this.release(runId);
  }
}
