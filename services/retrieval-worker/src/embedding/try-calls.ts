import { DependencyUnavailable } from '@quire/shared/errors';
import pRetry from 'p-retry';
import type { EmbeddingPurpose } from './embedder.js';
import { ProviderPause } from './provider-pause.js';

interface Tries {
  inAll: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

/** A caller waits for a query; a page that waits for a rate limit is cheaper than one retried as a job. */
const triesOf: Readonly<Record<EmbeddingPurpose, Tries>> = {
  query: { inAll: 2, firstPauseMs: 100, longestPauseMs: 200 },
  document: { inAll: 6, firstPauseMs: 500, longestPauseMs: 30_000 },
};

export type TryCall = <T>(
  purpose: EmbeddingPurpose,
  signal: AbortSignal,
  call: () => Promise<T>,
) => Promise<T>;

/**
 * Retries calls while their provider is unavailable. All documents wait for its `Retry-After`; a query does not, since
 * its vector would come too late.
 */
export function createTryCall(): TryCall {
  const pause = new ProviderPause();
  return (purpose, signal, call) => {
    const { inAll, firstPauseMs, longestPauseMs } = triesOf[purpose];
    const once = async () => {
      if (purpose === 'document') await pause.over(signal);
      return call();
    };
    return pRetry(once, {
      signal,
      retries: inAll - 1,
      minTimeout: firstPauseMs,
      maxTimeout: longestPauseMs,
      randomize: true,
      onFailedAttempt({ error }) {
        if (error instanceof DependencyUnavailable && error.retryAfterSeconds !== undefined) {
          pause.begin(error.retryAfterSeconds);
        }
      },
      shouldRetry: ({ error }) => error instanceof DependencyUnavailable,
    });
  };
}
