import { DependencyUnavailable } from '@quire/shared/errors';
import type { EmbeddingPurpose } from './embedder.js';

export type EmbeddingOutcome = 'done' | 'unavailable' | 'refused' | 'aborted';

/** One call to a provider, each try for itself. */
export interface EmbeddingCall {
  purpose: EmbeddingPurpose;
  texts: number;
  seconds: number;
  outcome: EmbeddingOutcome;
}
export type ObserveEmbeddingCall = (call: EmbeddingCall) => void;

export async function observedCall<T>(
  observe: ObserveEmbeddingCall | undefined,
  { purpose, texts }: Pick<EmbeddingCall, 'purpose' | 'texts'>,
  signal: AbortSignal,
  call: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const tell = (outcome: EmbeddingOutcome) =>
    observe?.({ purpose, texts, outcome, seconds: (performance.now() - startedAt) / 1000 });
  try {
    const result = await call();
    tell('done');
    return result;
  } catch (error) {
    if (signal.aborted) tell('aborted');
    else tell(error instanceof DependencyUnavailable ? 'unavailable' : 'refused');
    throw error;
  }
}
