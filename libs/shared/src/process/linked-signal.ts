import { setMaxListeners } from 'node:events';

export interface LinkedSignal {
  signal: AbortSignal;
  /** Lets go of the sources; the signal does not fire any more. */
  release(): void;
}

/**
 * A signal that fires with the first of its sources. `AbortSignal.any` would do, but Node 20 keeps what it made
 * for as long as the process lives once somebody listens to it (nodejs/node#54614: 1.2 KB for each call).
 */
export function linkSignals(sources: readonly AbortSignal[]): LinkedSignal {
  const linked = new AbortController();
  const unlink = sources.map((source) => {
    const abort = () => linked.abort(source.reason);
    if (source.aborted) abort();
    // A signal that lives as long as the process has one listener for each piece of work under way.
    setMaxListeners(0, source);
    source.addEventListener('abort', abort);
    return () => source.removeEventListener('abort', abort);
  });
  return {
    signal: linked.signal,
    release() {
      for (const each of unlink) each();
    },
  };
}

/** Runs a piece of work under a signal that fires with the first of its sources. */
export async function withLinkedSignal<T>(
  sources: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, release } = linkSignals(sources);
  try {
    return await work(signal);
  } finally {
    release();
  }
}
