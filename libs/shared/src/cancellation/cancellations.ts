import type { Redis } from 'ioredis';
import type { RunStanding } from '../database/index.js';
import { redisKeys } from '../redis/redis-keys.js';
import { Fenced, RunEnded } from '../run-log/index.js';
import { timeBudgets } from '../time/index.js';
import { RunCancelled } from './run-cancelled.js';

export interface CancelWatch {
  /** Fires with a `RunCancelled` as its reason, or with what its log would say: `Fenced`, `RunEnded`. */
  signal: AbortSignal;
  /** Until then nobody else's attempt or end is held against the watch. */
  claimedAs(attempt: number): void;
  /** Ends the watch; the signal does not fire any more. */
  release(): void;
}

export interface CancellationOptions {
  /** Asks the store. */
  standingOf(runIds: string[]): Promise<readonly RunStanding[]>;
  lookEveryMs?: number;
}

const DEFAULT_LOOK_EVERY_MS = timeBudgets.run.cancelCheckEveryMs;

interface Watching {
  stop: AbortController;
  attempt: number;
}

/**
 * Hears which runs of this process are to be cancelled: one listener on one connection and one look into the store
 * at a time, however many runs. The message makes it quick; the look finds what pub/sub lost with a connection, and
 * what was asked before the watch began. It also finds runs that another worker has taken over or ended, which a worker
 * whose model is silent would not learn from the log.
 */
export class Cancellations {
  private readonly watched = new Map<string, Set<Watching>>();
  private timer: NodeJS.Timeout | undefined;
  private looking = false;

  /** @param subscriber may be shared with others who tell channels apart */
  constructor(
    private readonly subscriber: Redis,
    private readonly options: CancellationOptions,
  ) {}

  async start(): Promise<void> {
    this.subscriber.on('message', (channel: string, runId: string) => {
      if (channel === redisKeys.cancelChannel) this.cancel(runId);
    });
    await this.subscriber.subscribe(redisKeys.cancelChannel);
  }

  listen(runId: string): CancelWatch {
    const watching: Watching = { stop: new AbortController(), attempt: Infinity };
    const beside = this.watched.get(runId) ?? new Set();
    this.watched.set(runId, beside.add(watching));
    this.timer ??= setInterval(() => void this.look(), this.options.lookEveryMs ?? DEFAULT_LOOK_EVERY_MS);
    return {
      signal: watching.stop.signal,
      claimedAs(attempt) {
        watching.attempt = attempt;
      },
      release: () => this.release(runId, watching),
    };
  }

  /** Runs being watched, for leak checks. */
  get watchedCount(): number {
    return this.watched.size;
  }

  private release(runId: string, watching: Watching): void {
    const beside = this.watched.get(runId);
    beside?.delete(watching);
    if (beside?.size === 0) this.watched.delete(runId);
    if (this.watched.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      for (const standing of await this.options.standingOf([...this.watched.keys()])) {
        if (standing.cancelRequested) this.cancel(standing.id);
        else this.shutOut(standing);
      }
    } catch {
      // The store is away: the next look asks again.
    } finally {
      this.looking = false;
    }
  }

  private cancel(runId: string): void {
    for (const { stop } of this.watched.get(runId) ?? []) stop.abort(new RunCancelled(runId));
  }

  private shutOut({ id, attempt, hasEnded }: RunStanding): void {
    for (const watching of this.watched.get(id) ?? []) {
      if (watching.attempt < attempt) watching.stop.abort(new Fenced(`Attempt ${attempt} has begun`));
      else if (hasEnded && watching.attempt !== Infinity) watching.stop.abort(new RunEnded('It has ended'));
    }
  }
}
