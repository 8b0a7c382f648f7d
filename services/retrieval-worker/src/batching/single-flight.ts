import { untilAborted } from '@quire/shared/process';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly nobodyWaits: AbortController;
  waiters: number;
}

/** Work that is asked for again while it is under way is shared; it is aborted when all who asked are gone. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  has(key: string): boolean {
    return this.#flights.has(key);
  }

  /** Rejects with the signal's reason when it fires, whatever becomes of the shared work. */
  async join(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#begin(key, work);
    flight.waiters += 1;
    try {
      return await untilAborted(signal, flight.result);
    } finally {
      flight.waiters -= 1;
      if (flight.waiters === 0 && signal.aborted) {
        // Whoever asks next must not join a flight that is being aborted.
        this.#forget(key, flight);
        flight.nobodyWaits.abort();
      }
    }
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const nobodyWaits = new AbortController();
    const flight: Flight<T> = {
      result: work(nobodyWaits.signal).finally(() => this.#forget(key, flight)),
      nobodyWaits,
      waiters: 0,
    };
    this.#flights.set(key, flight);
    return flight;
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
