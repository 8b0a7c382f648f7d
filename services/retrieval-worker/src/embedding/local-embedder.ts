import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { DependencyUnavailable } from '@quire/shared/errors';
import { untilAborted } from '@quire/shared/process';
import { Piscina } from 'piscina';
import { embedInBatches } from './embed-in-batches.js';
import type { Embedder, EmbeddingPurpose } from './embedder.js';

export const LOCAL_DIMENSIONS = 512;
const ID = 'local:use-lite';

/** Batching gains nothing with this model; small batches spread over the threads. */
const TEXTS_PER_BATCH = 4;
const IDLE_THREAD_MS = 30_000;

export interface LocalEmbedderOptions {
  threads?: number;
  threadFile?: string;
}

/** Resolved by package name, so that the compiled thread is found from `src` (tests) and `dist` alike. */
const compiledThread = () =>
  createRequire(import.meta.url).resolve('@quire/retrieval-worker/embedding-thread');

/**
 * Universal Sentence Encoder lite in worker threads: needs no key and no network, and leaves the event loop alone.
 * It reads the first 128 tokens (about 450 characters) of a text; averaging over windows of the rest found no more.
 */
export function openLocalEmbedder({
  threads = availableParallelism(),
  threadFile = compiledThread(),
}: LocalEmbedderOptions = {}): Embedder {
  const openPool = (minThreads: number) =>
    new Piscina({ filename: threadFile, minThreads, maxThreads: threads, idleTimeout: IDLE_THREAD_MS });
  // Two pools, so that a question never waits behind the pages of a book; only one thread stays when idle.
  const pools: Record<EmbeddingPurpose, Piscina<string[], number[][]>> = {
    query: openPool(1),
    document: openPool(0),
  };
  const limits = {
    embedderId: ID,
    dimensions: LOCAL_DIMENSIONS,
    textsPerBatch: TEXTS_PER_BATCH,
    parallel: threads,
  };

  return {
    id: ID,
    dimensions: LOCAL_DIMENSIONS,
    embed: (texts, purpose, signal) =>
      untilAborted(
        signal,
        // The signal is not given to the pool: it would kill the thread and its loaded model for at most one batch.
        embedInBatches(texts, limits, signal, async (batch) => {
          try {
            return await pools[purpose].run(batch);
          } catch (cause) {
            throw new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The local embedder failed', { cause });
          }
        }),
      ),
    close: async () => {
      await Promise.all([pools.query.destroy(), pools.document.destroy()]);
    },
  };
}
