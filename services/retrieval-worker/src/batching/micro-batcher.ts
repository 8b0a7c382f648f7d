import { setMaxListeners } from 'node:events';
import { DependencyUnavailable, Internal } from '@quire/shared/errors';

export interface MicroBatcherOptions<In, Out> {
  /** Items in one call. */
  maxBatch: number;
  /** Calls under way at once. */
  maxInFlight: number;
  /** How long items gather while a call is under way and another may start. */
  windowMs: number;
  /**
   * Whether they gather until they are as many as in a call under way, though no longer than a call takes. Few askers
   * have calls of their own then and many share even ones, where one and thirty would take turns.
   */
  evenCalls?: boolean;
  /** One result per item, in their order. The signal fires when nobody waits for any of them. */
  run(items: readonly In[], signal: AbortSignal): Promise<readonly Out[]>;
  /** Whether one item may have failed the others, so that each is run alone; unless told, any defect may. */
  splitAfter?(error: unknown): boolean;
  onBatch?(size: number): void;
}

/** Where items wait: in the queue, for a call of their own, or in a call under way. */
interface Place<In, Out> {
  readonly waiters: Set<Waiter<In, Out>>;
  whenDeserted(): void;
}

interface Waiter<In, Out> {
  readonly item: In;
  place: Place<In, Out>;
  resolve(result: Out): void;
  reject(error: unknown): void;
}

/** How long after a call of several items company is still expected. */
const COMPANY_EXPECTED_MS = 250;

/**
 * Gathers single items into calls. An idle batcher sends at once what one turn of the event loop brought. Under load
 * items gather while calls are under way, or for the window between two of them: without it the first of many askers
 * that are answered together would have the next call to itself.
 */
export class MicroBatcher<In, Out> {
  // Sets keep the order of arrival, and let an item leave from the middle.
  readonly #queue: Place<In, Out> = { waiters: new Set(), whenDeserted: () => this.#sleepIfIdle() };
  readonly #alone: Place<In, Out> = { waiters: new Set(), whenDeserted: () => this.#sleepIfIdle() };
  /** How many items each call under way has. */
  readonly #underWay = new Set<{ readonly length: number }>();
  #companyUntil = -Infinity;
  #lastCallMs = 0;
  #wake: { at: number; cancel(): void } | undefined;

  constructor(private readonly options: MicroBatcherOptions<In, Out>) {}

  /** Rejects at once with the signal's reason when it fires; the other items of the call go on. */
  add(item: In, signal: AbortSignal): Promise<Out> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const leave = () => {
        waiter.reject(signal.reason);
        if (waiter.place.waiters.size === 0) waiter.place.whenDeserted();
      };
      const settle = () => {
        signal.removeEventListener('abort', leave);
        waiter.place.waiters.delete(waiter);
      };
      const waiter: Waiter<In, Out> = {
        item,
        place: this.#queue,
        resolve(result) {
          settle();
          resolve(result);
        },
        reject(error) {
          settle();
          reject(error);
        },
      };
      // All texts of a page share one signal.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', leave);
      this.#queue.waiters.add(waiter);
      this.#schedule();
    });
  }

  #schedule(): void {
    const { maxBatch, maxInFlight, windowMs } = this.options;
    if (this.#underWay.size >= maxInFlight || this.#queue.waiters.size === 0) return;
    if (this.#queue.waiters.size >= maxBatch) this.#dispatch();
    else if (this.#isIdle()) this.#wakeWithin(0);
    else this.#wakeWithin(this.#waitsToBeEven() ? Math.max(windowMs, this.#lastCallMs) : windowMs);
  }

  #wakeWithin(ms: number): void {
    const at = performance.now() + ms;
    if (this.#wake && this.#wake.at <= at) return;
    this.#wake?.cancel();
    this.#wake = { at, cancel: wakeAfter(ms, () => this.#dispatch()) };
  }

  /** In the next turn, when those who got a result have had their say: some add more, some leave. */
  #goOnSoon(): void {
    this.#sleep();
    const goOn = () => {
      this.#sleep();
      if (this.#waitsToBeEven()) this.#schedule();
      else this.#dispatch();
    };
    this.#wake = { at: performance.now(), cancel: wakeAfter(0, goOn) };
    this.#sleepIfIdle();
  }

  #isIdle(): boolean {
    return this.#underWay.size === 0 && performance.now() > this.#companyUntil;
  }

  #waitsToBeEven(): boolean {
    if (!this.options.evenCalls || this.#underWay.size === 0 || this.#alone.waiters.size > 0) return false;
    return [...this.#underWay].every(({ length }) => this.#queue.waiters.size < length);
  }

  #sleepIfIdle(): void {
    if (this.#queue.waiters.size + this.#alone.waiters.size === 0) this.#sleep();
  }

  #sleep(): void {
    this.#wake?.cancel();
    this.#wake = undefined;
  }

  #dispatch(): void {
    this.#sleep();
    const { maxBatch, maxInFlight } = this.options;
    while (this.#underWay.size < maxInFlight) {
      const [waiting, most] =
        this.#alone.waiters.size > 0 ? [this.#alone.waiters, 1] : [this.#queue.waiters, maxBatch];
      if (waiting.size === 0) return;
      void this.#call(take(waiting, most));
    }
  }

  async #call(batch: ReadonlyArray<Waiter<In, Out>>): Promise<void> {
    const nobodyWaits = new AbortController();
    const call: Place<In, Out> = { waiters: new Set(batch), whenDeserted: () => nobodyWaits.abort() };
    for (const waiter of batch) waiter.place = call;
    const startedAt = performance.now();
    this.#underWay.add(batch);
    if (batch.length > 1) this.#companyUntil = performance.now() + COMPANY_EXPECTED_MS;
    try {
      this.options.onBatch?.(batch.length);
      const items = batch.map(({ item }) => item);
      const results = await this.options.run(items, nobodyWaits.signal);
      if (results.length !== batch.length) {
        throw new Internal(`A batch of ${batch.length} items had ${results.length} results`);
      }
      for (const [i, waiter] of batch.entries()) waiter.resolve(results[i] as Out);
    } catch (error) {
      const { splitAfter = unlessDependencyAway } = this.options;
      const split = batch.length > 1 && splitAfter(error);
      for (const waiter of call.waiters) {
        if (split) this.#runAlone(waiter);
        else waiter.reject(error);
      }
    } finally {
      this.#underWay.delete(batch);
      this.#lastCallMs = performance.now() - startedAt;
      this.#goOnSoon();
    }
  }

  #runAlone(waiter: Waiter<In, Out>): void {
    waiter.place = this.#alone;
    this.#alone.waiters.add(waiter);
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

/** Not even a timer's millisecond when there is nothing to wait for. */
function wakeAfter(ms: number, wake: () => void): () => void {
  if (ms === 0) {
    const immediate = setImmediate(wake);
    return () => clearImmediate(immediate);
  }
  const timer = setTimeout(wake, ms);
  return () => clearTimeout(timer);
}
