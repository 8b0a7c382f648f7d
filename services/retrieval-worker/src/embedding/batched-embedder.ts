import { DependencyUnavailable } from '@quire/shared/errors';
import { withLinkedSignal } from '@quire/shared/process';
import { MicroBatcher } from '../batching/micro-batcher.js';
import type { CallLimits, Embedder, EmbeddingPurpose } from './embedder.js';
import { ProviderMisconfigured, TextsRefused } from '../providers/provider-failure.js';
import { observedCall, type ObserveEmbeddingCall } from './embedding-call.js';
import { createTryCall } from './try-calls.js';

/** Pages come a few milliseconds apart, and fuller calls are worth more to them than a fast start. */
const WINDOW_MS: Readonly<Record<EmbeddingPurpose, number>> = { query: 3, document: 20 };

/**
 * Two for questions: a provider that serves one call after the other gets them in few, full calls, and one that
 * serves them side by side still has the next one while it works on the last.
 */
export const REMOTE_CALLS_AT_ONCE: CallLimits['atOnce'] = { query: 2, document: 4 };

export interface Provider {
  id: string;
  dimensions: number;
  callLimits: CallLimits;
  /** Whether a fuller call is cheaper than two, so that questions wait a little for each other under load. */
  gainsByFullCalls: boolean;
  observe?: ObserveEmbeddingCall | undefined;
  /** One call: never more texts than the limit, never a blank one. */
  embedBatch(texts: string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<number[][]>;
  close(): Promise<void>;
}

/**
 * What every adapter has in common: blank texts never reach the provider (some refuse them, one throws), calls stay
 * within its limits whoever makes them, failures that may pass are tried again, and an answer of the wrong shape is
 * refused before it can spoil the index.
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
          // The texts that still wait are not worth a call any more.
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
    throw new ProviderMisconfigured(`${id} gave ${vectors.length} vectors for ${expected} texts`);
  }
  const wrong = vectors.find((vector) => vector.length !== dimensions);
  if (wrong) {
    throw new ProviderMisconfigured(
      `${id} gave vectors of ${wrong.length} dimensions, expected ${dimensions}`,
    );
  }
}
