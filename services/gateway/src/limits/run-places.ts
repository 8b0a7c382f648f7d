import { overdueAt, unfinishedAmong, type Database, type NewRun } from '@quire/shared/database';

const LOOK_EVERY_MS = 250;

export interface Place {
  leave(): void;
  /** Whoever serves the caller says when the run has ended. */
  isServed(): boolean;
}

/** A run that holds a place. */
export type PlacedRun = Pick<NewRun, 'id' | 'deadlineAt'>;

/**
 * The places that runs hold. Where the caller has gone, a place is given back once Postgres knows the run's end, or
 * nobody may work on it any more: with no worker alive nobody would write that end.
 */
export class RunPlaces {
  private readonly places = new Map<string, Place & { overdueAt: number }>();
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;

  constructor(
    private readonly db: Database,
    private readonly lookEveryMs = LOOK_EVERY_MS,
  ) {}

  start(): void {
    this.timer ??= setInterval(() => void this.look(), this.lookEveryMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  hold(run: PlacedRun, place: Place): void {
    this.places.set(run.id, { ...place, overdueAt: overdueAt(run) });
  }

  giveBack(runId: string): void {
    this.places.get(runId)?.leave();
    this.places.delete(runId);
  }

  private async look(): Promise<void> {
    const now = Date.now();
    for (const [runId, place] of this.places) if (now > place.overdueAt) this.giveBack(runId);
    const alone = [...this.places].filter(([, place]) => !place.isServed()).map(([runId]) => runId);
    if (this.isLooking || alone.length === 0) return;
    this.isLooking = true;
    try {
      const unfinished = await unfinishedAmong(this.db, alone);
      for (const runId of alone) if (!unfinished.has(runId)) this.giveBack(runId);
    } catch {
      // While Postgres is away nobody knows; the next look may.
    } finally {
      this.isLooking = false;
    }
  }
}
