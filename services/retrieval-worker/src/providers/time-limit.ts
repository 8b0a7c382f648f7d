import { DependencyUnavailable } from '@quire/shared/errors';
import { withLinkedSignal } from '@quire/shared/process';
import type { EmbeddingPurpose } from '../embedding/embedder.js';

/** Of one try. Someone waits for a query; a batch of passages may take its time. */
export const TIME_LIMIT_MS: Readonly<Record<EmbeddingPurpose, number>> = { query: 3000, document: 60_000 };

/** Not left to the SDKs: OpenAI's stops counting once the headers are there, and the body may stall. */
export async function withinTimeLimit<T>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The provider did not answer in time'));
  }, limitMs);
  try {
    return await withLinkedSignal([signal, late.signal], work);
  } catch (error) {
    // Not what an SDK makes of it.
    signal.throwIfAborted();
    late.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
