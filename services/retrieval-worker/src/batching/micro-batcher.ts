import { setMaxListeners } from 'node:events';
import { DependencyUnavailable, Internal } from '@quire/shared/errors';

export interface MicroBatcherOptions<In, Out> {
  /** Items in one call. */
  maxBatch: number;
  /** Calls under way at once. */
  maxInFlight: number;
  /** How long items are collected while a call is under way and another may start. */
  windowMs: number;
  /**
   * Whether items are collected until they are as many as in each call under way, but no longer than a call takes. It
   * gives few callers calls of their own, and many callers calls of equal size instead of one and thirty by turns.
   */
  evenCalls?: boolean;
  /** One result per item, in their order. The signal fires when all of them have been aborted. */
  run(items: readonly In[], signal: AbortSignal): Promise<readonly Out[]>;
  /** Whether one item may have failed the others, so that each is run alone. Default: unless a dependency is away. */
  splitAfter?(error: unknown): boolean;
  onBatch?(size: number): void;
}

/** Pending items: those in the queue, those to be run alone, or those of one call. */
interface Batch<In, Out> {
  readonly items: Set<Pending<In, Out>>;
  /** Called when its last item was aborted. */
  onEmpty(): void;
}

interface Pending<In, Out> {
  readonly item: In;
  batch: Batch<In, Out>;
  resolve(result: Out): void;
  reject(error: unknown): void;
}

/** After a call of several items the batcher does not count as idle for this long. */
const BUSY_AFTER_CALL_MS = 250;

/**
 * Combines single items into calls. An idle batcher sends the items of one turn of the event loop at once. Under load
 * it collects them while calls are under way, or for the window between two calls: without it the first of many callers
 * that get their results together would have the next call to itself.
 */
export class MicroBatcher<In, Out> {
  // Sets keep the order of arrival and let aborted items be removed from the middle.
  readonly #queue: Batch<In, Out> = { items: new Set(), onEmpty: () => this.#cancelWakeIfEmpty() };
  readonly #alone: Batch<In, Out> = { items: new Set(), onEmpty: () => this.#cancelWakeIfEmpty() };
  /** The calls under way, by their items. */
  readonly #underWay = new Set<{ readonly length: number }>();
  #busyUntil = -Infinity;
  #lastCallMs = 0;
  #wake: { at: number; cancel(): void } | undefined;

  constructor(private readonly options: MicroBatcherOptions<In, Out>) {}

  /** Rejects at once with the signal's reason when it fires; the other items of the call go on. */
  add(item: In, signal: AbortSignal): Promise<Out> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const abort = () => {
        pending.reject(signal.reason);
        if (pending.batch.items.size === 0) pending.batch.onEmpty();
      };
      const remove = () => {
        signal.removeEventListener('abort', abort);
        pending.batch.items.delete(pending);
      };
      const pending: Pending<In, Out> = {
        item,
        batch: this.#queue,
        resolve(result) {
          remove();
          resolve(result);
        },
        reject(error) {
          remove();
          reject(error);
        },
      };
      // All texts of a page share one signal.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', abort);
      this.#queue.items.add(pending);
      this.#schedule();
    });
  }

  #schedule(): void {
    const { maxBatch, maxInFlight, windowMs } = this.options;
    if (this.#underWay.size >= maxInFlight || this.#queue.items.size === 0) return;
    if (this.#queue.items.size >= maxBatch) this.#dispatch();
    else if (this.#isIdle()) this.#wakeWithin(0);
    else this.#wakeWithin(this.#waitsForEvenCall() ? Math.max(windowMs, this.#lastCallMs) : windowMs);
  }

  #wakeWithin(ms: number): void {
    const at = performance.now() + ms;
    if (this.#wake && this.#wake.at <= at) return;
    this.#wake?.cancel();
    this.#wake = { at, cancel: wakeAfter(ms, () => this.#dispatch()) };
  }

  /** In the next turn of the event loop, when callers that got a result have added or aborted other items. */
  #continueSoon(): void {
    this.#cancelWake();
    const proceed = () => {
      this.#cancelWake();
      if (this.#waitsForEvenCall()) this.#schedule();
      else this.#dispatch();
    };
    this.#wake = { at: performance.now(), cancel: wakeAfter(0, proceed) };
    this.#cancelWakeIfEmpty();
  }

  #isIdle(): boolean {
    return this.#underWay.size === 0 && performance.now() > this.#busyUntil;
  }

  #waitsForEvenCall(): boolean {
    if (!this.options.evenCalls || this.#underWay.size === 0 || this.#alone.items.size > 0) return false;
    return [...this.#underWay].every(({ length }) => this.#queue.items.size < length);
  }

  #cancelWakeIfEmpty(): void {
    if (this.#queue.items.size + this.#alone.items.size === 0) this.#cancelWake();
  }

  #cancelWake(): void {
    this.#wake?.cancel();
    this.#wake = undefined;
  }

  #dispatch(): void {
    this.#cancelWake();
    const { maxBatch, maxInFlight } = this.options;
    while (this.#underWay.size < maxInFlight) {
      const [items, most] =
        this.#alone.items.size > 0 ? [this.#alone.items, 1] : [this.#queue.items, maxBatch];
      if (items.size === 0) return;
      void this.#call(take(items, most));
    }
  }

  async #call(taken: ReadonlyArray<Pending<In, Out>>): Promise<void> {
    const allAborted = new AbortController();
    const batch: Batch<In, Out> = { items: new Set(taken), onEmpty: () => allAborted.abort() };
    for (const each of taken) each.batch = batch;
    const startedAt = performance.now();
    this.#underWay.add(taken);
    if (taken.length > 1) this.#busyUntil = performance.now() + BUSY_AFTER_CALL_MS;
    try {
      this.options.onBatch?.(taken.length);
      const items = taken.map(({ item }) => item);
      const results = await this.options.run(items, allAborted.signal);
      if (results.length !== taken.length) {
        throw new Internal(`A batch of ${taken.length} items had ${results.length} results`);
      }
      for (const [i, each] of taken.entries()) each.resolve(results[i] as Out);
    } catch (error) {
      const { splitAfter = unlessDependencyAway } = this.options;
      const split = taken.length > 1 && splitAfter(error);
      for (const each of batch.items) {
        if (split) this.#runAlone(each);
        else each.reject(error);
      }
    } finally {
      this.#underWay.delete(taken);
      this.#lastCallMs = performance.now() - startedAt;
      this.#continueSoon();
    }
  }

  #runAlone(pending: Pending<In, Out>): void {
    pending.batch = this.#alone;
    this.#alone.items.add(pending);
  }
}

const unlessDependencyAway = (error: unknown): boolean => !(error instanceof DependencyUnavailable);

function take<T>(from: Set<T>, most: number): T[] {
  const taken: T[] = [];
  for (const each of from) {
    if (taken.length === most) break;
    from.delete(each);
    taken.push(each);
  }
  return taken;
}

/** An immediate for 0, since a timer takes at least a millisecond. */
function wakeAfter(ms: number, wake: () => void): () => void {
  if (ms === 0) {
    const immediate = setImmediate(wake);
    return () => clearImmediate(immediate);
  }
  const timer = setTimeout(wake, ms);
  return () => clearTimeout(timer);
}
