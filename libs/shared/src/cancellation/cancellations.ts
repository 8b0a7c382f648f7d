import type { Redis } from 'ioredis';
import { redisKeys } from '../redis/redis-keys.js';
import { RunCancelled } from './run-cancelled.js';

export interface CancelWatch {
  /** Fires with a `RunCancelled` as its reason. */
  signal: AbortSignal;
  /** Ends the watch; the signal does not fire any more. */
  release(): void;
}

export interface CancellationOptions {
  /** Asks the store which of these runs are to be cancelled. */
  cancelledAmong(runIds: string[]): Promise<readonly string[]>;
  lookEveryMs?: number;
}

const DEFAULT_LOOK_EVERY_MS = 2000;

/**
 * Hears which runs of this process are to be cancelled: one listener on one connection and one look into the store
 * at a time, however many runs. The message makes it quick; the look finds what pub/sub lost with a connection, and
 * what was asked before the watch began.
 */
export class Cancellations {
  private readonly watched = new Map<string, Set<AbortController>>();
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
    const cancelling = new AbortController();
    const watching = this.watched.get(runId) ?? new Set();
    watching.add(cancelling);
    this.watched.set(runId, watching);
    this.timer ??= setInterval(() => void this.look(), this.options.lookEveryMs ?? DEFAULT_LOOK_EVERY_MS);
    return { signal: cancelling.signal, release: () => this.release(runId, cancelling) };
  }

  /** Runs being watched, for leak checks. */
  get watchedCount(): number {
    return this.watched.size;
  }

  private release(runId: string, cancelling: AbortController): void {
    const watching = this.watched.get(runId);
    watching?.delete(cancelling);
    if (watching?.size === 0) this.watched.delete(runId);
    if (this.watched.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      const cancelled = await this.options.cancelledAmong([...this.watched.keys()]);
      for (const runId of cancelled) this.cancel(runId);
    } catch {
      // The store is away: the next look asks again.
    } finally {
      this.looking = false;
    }
  }

  private cancel(runId: string): void {
    for (const cancelling of this.watched.get(runId) ?? []) cancelling.abort(new RunCancelled(runId));
  }
}
