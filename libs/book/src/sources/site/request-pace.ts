import { setTimeout as sleep } from 'node:timers/promises';
import { untilAborted } from '@quire/shared/process';
import pLimit, { type LimitFunction } from 'p-limit';

export interface Clock {
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

/** Limits concurrent requests and keeps the delay that the site asks for. */
export class RequestPace {
  /** Least time between the starts of two requests. */
  delayMs = 0;
  #nextStart = 0;
  readonly #limit: LimitFunction;

  constructor(
    concurrency: number,
    private readonly clock = systemClock,
  ) {
    this.#limit = pLimit(concurrency);
  }

  /** Runs work that awaits `turn` before each of its requests. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const inTurn = async () => {
      signal.throwIfAborted();
      return work();
    };
    return untilAborted(signal, this.#limit(inTurn));
  }

  async turn(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const start = Math.max(now, this.#nextStart);
    this.#nextStart = start + this.delayMs;
    if (start > now) await this.clock.sleep(start - now, signal);
    signal.throwIfAborted();
  }

  /** No request for any page starts before this time. */
  pause(ms: number): void {
    this.#nextStart = Math.max(this.#nextStart, this.clock.now() + ms);
  }
}
