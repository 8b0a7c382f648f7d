import { createRequire } from 'node:module';
import { availableParallelism, platform } from 'node:os';
import { DependencyUnavailable } from '@quire/shared/errors';
import { TIME_LIMIT_MS } from '../providers/time-limit.js';
import { batchedEmbedder } from './batched-embedder.js';
import type { Embedder, EmbeddingPurpose } from './embedder.js';
import type { ObserveEmbeddingCall } from './embedding-call.js';
import { openEmbeddingThreads, type EmbeddingThreads } from './embedding-threads.js';

export const LOCAL_DIMENSIONS = 512;
const ID = 'local:use-lite';

/** A full call gains nothing with this model; small ones spread over the threads. */
const TEXTS_PER_CALL = 4;
const IDLE_THREAD_MS = 30_000;
/**
 * Documents keep every core busy; the thread of a question goes first. Only Linux has a niceness for each thread:
 * elsewhere it would slow down the whole process.
 */
const DOCUMENT_NICENESS = platform() === 'linux' ? 5 : 0;

export interface LocalEmbedderOptions {
  threads?: number;
  threadFile?: string;
  timeLimitMs?: Readonly<Record<EmbeddingPurpose, number>>;
  observe?: ObserveEmbeddingCall | undefined;
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
  timeLimitMs = TIME_LIMIT_MS,
  observe,
}: LocalEmbedderOptions = {}): Embedder {
  const openPool = (options: { minThreads: number; niceIncrement?: number }) =>
    openEmbeddingThreads({
      filename: threadFile,
      maxThreads: threads,
      idleTimeout: IDLE_THREAD_MS,
      ...options,
    });
  // Two pools, so that a question never waits behind the pages of a book; only one thread stays when idle.
  const pools: Record<EmbeddingPurpose, EmbeddingThreads> = {
    query: openPool({ minThreads: 1 }),
    document: openPool({ minThreads: 0, niceIncrement: DOCUMENT_NICENESS }),
  };

  return batchedEmbedder({
    id: ID,
    dimensions: LOCAL_DIMENSIONS,
    callLimits: { texts: TEXTS_PER_CALL, atOnce: { query: threads, document: threads } },
    gainsByFullCalls: false,
    observe,
    // An asker who leaves is not worth a thread and its loaded model.
    async embedBatch(texts, purpose) {
      try {
        return await pools[purpose].embed(texts, timeLimitMs[purpose]);
      } catch (cause) {
        throw new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The local embedder failed', { cause });
      }
    },
    close: async () => {
      await Promise.all([pools.query.close(), pools.document.close()]);
    },
  });
}
