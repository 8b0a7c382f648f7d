import { setMaxListeners } from 'node:events';

export interface LinkedSignal {
  signal: AbortSignal;
  /** Removes its listeners from the sources; the signal no longer fires. */
  release(): void;
}

/**
 * A signal that fires with the first of its sources. Not `AbortSignal.any`: Node 20 never frees such a signal once it had a
 * listener (nodejs/node#54614: 1.2 KB for each call).
 */
export function linkSignals(sources: readonly AbortSignal[]): LinkedSignal {
  const linked = new AbortController();
  const unlink = sources.map((source) => {
    const abort = () => linked.abort(source.reason);
    if (source.aborted) abort();
    // A signal of the whole process has one listener for each piece of work under way.
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

/** Runs work with a signal that fires with the first of its sources. */
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
