import type { Redis } from 'ioredis';
import type { RunStanding } from '../database/index.js';
import { redisKeys } from '../redis/redis-keys.js';
import { Fenced, RunEnded } from '../run-log/index.js';
import { PeriodicTask, timeBudgets } from '../time/index.js';
import { RunCancelled } from './run-cancelled.js';

export interface CancelWatch {
  /** Fires with `RunCancelled`, or with the reason for which the run's log would refuse an append: `Fenced`, `RunEnded`. */
  signal: AbortSignal;
  /** From now on a later attempt, or an outcome, fires the signal; before, the run may have had either. */
  claimedAs(attempt: number): void;
  /** Ends the watch; the signal does not fire any more. */
  release(): void;
}

export interface CancellationOptions {
  /** Reads the runs' rows. */
  standingOf(runIds: string[]): Promise<readonly RunStanding[]>;
  pollEveryMs?: number;
}

interface Watching {
  stop: AbortController;
  attempt: number;
}

/**
 * Aborts the runs of this process that are cancelled. A message on the channel reports most; polling Postgres, with one
 * query for all runs, finds those whose message was lost or was sent before the watch began. It also finds runs that
 * another worker has claimed or ended, which a worker whose model is silent would not learn from the log.
 */
export class Cancellations {
  private readonly watched = new Map<string, Set<Watching>>();
  private readonly polling: PeriodicTask;

  /** @param subscriber may have other users, which tell channels apart */
  constructor(
    private readonly subscriber: Redis,
    private readonly options: CancellationOptions,
  ) {
    const { pollEveryMs = timeBudgets.run.cancelCheckEveryMs } = options;
    // A pass that fails is followed by the next one: Postgres may be down.
    this.polling = new PeriodicTask(pollEveryMs, () => this.poll());
  }

  async start(): Promise<void> {
    this.polling.start();
    this.subscriber.on('message', (channel: string, runId: string) => {
      if (channel === redisKeys.cancelChannel) this.cancel(runId);
    });
    await this.subscriber.subscribe(redisKeys.cancelChannel);
  }

  listen(runId: string): CancelWatch {
    const watching: Watching = { stop: new AbortController(), attempt: Infinity };
    const ofRun = this.watched.get(runId) ?? new Set();
    this.watched.set(runId, ofRun.add(watching));
    return {
      signal: watching.stop.signal,
      claimedAs(attempt) {
        watching.attempt = attempt;
      },
      release: () => {
        ofRun.delete(watching);
        if (ofRun.size === 0 && this.watched.get(runId) === ofRun) this.watched.delete(runId);
      },
    };
  }

  /** Runs being watched, for leak checks. */
  get watchedCount(): number {
    return this.watched.size;
  }

  private async poll(): Promise<void> {
    if (this.watched.size === 0) return;
    for (const standing of await this.options.standingOf([...this.watched.keys()])) {
      if (standing.cancelRequested) this.cancel(standing.id);
      else this.stopSuperseded(standing);
    }
  }

  private cancel(runId: string): void {
    for (const { stop } of this.watched.get(runId) ?? []) stop.abort(new RunCancelled(runId));
  }

  private stopSuperseded({ id, attempt, hasEnded }: RunStanding): void {
    for (const watching of this.watched.get(id) ?? []) {
      if (watching.attempt < attempt) watching.stop.abort(new Fenced(`Attempt ${attempt} has begun`));
      else if (hasEnded && watching.attempt !== Infinity)
        watching.stop.abort(new RunEnded('The run has ended'));
    }
  }
}
