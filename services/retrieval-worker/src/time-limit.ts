import { DependencyUnavailable } from '@quire/shared/errors';
import { withLinkedSignal } from '@quire/shared/process';
import { timeBudgets } from '@quire/shared/time';
import type { EmbeddingPurpose } from './embedding/embedder.js';

/** The time limits of one call: a caller waits for a query, but not for a batch of passages. */
export const TIME_LIMIT_MS: Readonly<Record<EmbeddingPurpose, number>> = {
  query: timeBudgets.retrieval.embedQuestionMs,
  document: timeBudgets.retrieval.embedPassagesMs,
};

const providerLate = () =>
  new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The provider did not respond in time');

/**
 * Aborts work after a time and rejects with `lateError`, or with the signal's reason if that fires first. For providers
 * not left to the SDKs: OpenAI's timeout ends with the headers, and the body may stall.
 */
export async function withinTimeLimit<T>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  lateError: () => Error = providerLate,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(lateError()), limitMs);
  try {
    return await withLinkedSignal([signal, late.signal], work);
  } catch (error) {
    // The reason of the abort rather than an error that `work` made of it.
    signal.throwIfAborted();
    late.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
