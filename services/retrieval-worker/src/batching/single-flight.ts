import { untilAborted } from '@quire/shared/process';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly allAborted: AbortController;
  waiters: number;
}

/** Shares work under way among all callers that ask for it; it is aborted when all of them have aborted. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  has(key: string): boolean {
    return this.#flights.has(key);
  }

  /** Rejects with the signal's reason when it fires, even if the shared work goes on. */
  async join(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#begin(key, work);
    flight.waiters += 1;
    try {
      return await untilAborted(signal, flight.result);
    } finally {
      flight.waiters -= 1;
      if (flight.waiters === 0 && signal.aborted) {
        // The next caller must not join a flight that is being aborted.
        this.#forget(key, flight);
        flight.allAborted.abort();
      }
    }
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const allAborted = new AbortController();
    const flight: Flight<T> = {
      result: work(allAborted.signal).finally(() => this.#forget(key, flight)),
      allAborted,
      waiters: 0,
    };
    this.#flights.set(key, flight);
    return flight;
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
