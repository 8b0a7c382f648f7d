import { DependencyUnavailable } from '@quire/shared/errors';
import type { EmbeddingPurpose } from './embedder.js';

export type EmbeddingOutcome = 'done' | 'unavailable' | 'refused' | 'aborted';

/** One try of a call to a provider. */
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
  const report = (outcome: EmbeddingOutcome) =>
    observe?.({ purpose, texts, outcome, seconds: (performance.now() - startedAt) / 1000 });
  try {
    const result = await call();
    report('done');
    return result;
  } catch (error) {
    if (signal.aborted) report('aborted');
    else report(error instanceof DependencyUnavailable ? 'unavailable' : 'refused');
    throw error;
  }
}
