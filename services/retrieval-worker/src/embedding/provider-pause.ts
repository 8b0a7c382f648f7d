import { untilAborted } from '@quire/shared/process';

/** The `Retry-After` of a provider, for all calls of an embedder. */
export class ProviderPause {
  #until = 0;

  begin(seconds: number): void {
    this.#until = Math.max(this.#until, performance.now() + seconds * 1000);
  }

  async over(signal: AbortSignal): Promise<void> {
    // In a loop, since another call may get a longer Retry-After in the meantime.
    for (let left = this.#left(); left > 0; left = this.#left()) await sleep(left, signal);
  }

  #left(): number {
    return this.#until - performance.now();
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.ceil(ms));
  });
  try {
    await untilAborted(signal, over);
  } finally {
    clearTimeout(timer);
  }
}
