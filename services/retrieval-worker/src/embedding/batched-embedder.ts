import { DependencyUnavailable } from '@quire/shared/errors';
import { withLinkedSignal } from '@quire/shared/process';
import { MicroBatcher } from '../batching/micro-batcher.js';
import type { CallLimits, Embedder, EmbeddingPurpose } from './embedder.js';
import { ProviderMisconfigured, TextsRefused } from '../providers/provider-failure.js';
import { observedCall, type ObserveEmbeddingCall } from './embedding-call.js';
import { createTryCall } from './try-calls.js';

/** Pages arrive a few milliseconds apart and gain more from full calls than from a fast start. */
const WINDOW_MS: Readonly<Record<EmbeddingPurpose, number>> = { query: 3, document: 20 };

/**
 * Two for questions: a provider that serves calls one after the other gets few, full calls, and one that serves them in
 * parallel is never idle.
 */
export const REMOTE_CALLS_AT_ONCE: CallLimits['atOnce'] = { query: 2, document: 4 };

export interface Provider {
  id: string;
  dimensions: number;
  callLimits: CallLimits;
  /** Whether one full call is cheaper than two, so that under load questions wait a little for each other. */
  gainsByFullCalls: boolean;
  observe?: ObserveEmbeddingCall | undefined;
  /** One call: never more texts than the limit, never a blank one. */
  embedBatch(texts: string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<number[][]>;
  close(): Promise<void>;
}

/**
 * What all adapters share: blank texts never reach the provider (some refuse them, one throws), all callers together
 * stay within its limits, retryable failures are retried, and vectors of a wrong shape are refused before they reach the
 * index.
 */
export function batchedEmbedder(provider: Provider): Embedder {
  const { id, dimensions, callLimits, observe } = provider;
  const tryCall = createTryCall();
  const closing = new AbortController();

  const batcherOf = (purpose: EmbeddingPurpose) =>
    new MicroBatcher<string, number[]>({
      maxBatch: callLimits.texts,
      maxInFlight: callLimits.atOnce[purpose],
      windowMs: WINDOW_MS[purpose],
      evenCalls: purpose === 'query' && provider.gainsByFullCalls,
      splitAfter: (error) => error instanceof TextsRefused,
      run: (texts, signal) =>
        tryCall(purpose, signal, () =>
          observedCall(observe, { purpose, texts: texts.length }, signal, async () => {
            const vectors = await provider.embedBatch([...texts], purpose, signal);
            refuseWrongShape(vectors, texts.length, provider);
            return vectors;
          }),
        ),
    });
  const batchers = { query: batcherOf('query'), document: batcherOf('document') };

  return {
    id,
    dimensions,
    callLimits,
    async embed(texts, purpose, signal) {
      const failed = new AbortController();
      return withLinkedSignal([signal, failed.signal, closing.signal], async (linked) => {
        linked.throwIfAborted();
        try {
          return await Promise.all(
            texts.map(async (text) =>
              text.trim() === '' ? zeros(dimensions) : batchers[purpose].add(text, linked),
            ),
          );
        } catch (error) {
          // The remaining texts are not sent.
          failed.abort(error);
          throw error;
        }
      });
    },
    close() {
      closing.abort(new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The embedder is closed'));
      return provider.close();
    },
  };
}

function zeros(dimensions: number): number[] {
  return Array.from({ length: dimensions }, () => 0);
}

function refuseWrongShape(vectors: number[][], expected: number, { id, dimensions }: Provider): void {
  if (vectors.length !== expected) {
    throw new ProviderMisconfigured(`${id} returned ${vectors.length} vectors for ${expected} texts`);
  }
  const wrong = vectors.find((vector) => vector.length !== dimensions);
  if (wrong) {
    throw new ProviderMisconfigured(
      `${id} returned vectors of ${wrong.length} dimensions, expected ${dimensions}`,
    );
  }
}
