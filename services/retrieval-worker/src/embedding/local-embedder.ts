import { createRequire } from 'node:module';
import { availableParallelism, platform } from 'node:os';
import { DependencyUnavailable } from '@quire/shared/errors';
import { TIME_LIMIT_MS } from '../time-limit.js';
import { batchedEmbedder } from './batched-embedder.js';
import type { Embedder, EmbeddingPurpose } from './embedder.js';
import type { ObserveEmbeddingCall } from './embedding-call.js';
import { openEmbeddingThreads, type EmbeddingThreads } from './embedding-threads.js';

export const LOCAL_DIMENSIONS = 512;
const ID = 'local:use-lite';

/** This model gains nothing from full calls; small ones use all threads. */
const TEXTS_PER_CALL = 4;
const IDLE_THREAD_MS = 30_000;
/**
 * Documents keep every core busy, so threads of questions get a higher priority. Only Linux has a niceness per thread;
 * elsewhere it would slow down the whole process.
 */
const DOCUMENT_NICENESS = platform() === 'linux' ? 5 : 0;

export interface LocalEmbedderOptions {
  threads?: number;
  threadFile?: string;
  timeLimitMs?: Readonly<Record<EmbeddingPurpose, number>>;
  observe?: ObserveEmbeddingCall | undefined;
}

/** By package name, which finds the compiled thread from `src` (tests) and from `dist`. */
const compiledThread = () =>
  createRequire(import.meta.url).resolve('@quire/retrieval-worker/embedding-thread');

/**
 * Universal Sentence Encoder lite in worker threads: needs no key and no network, and does not block the event loop.
 * It reads the first 128 tokens (about 450 characters) of a text; averaging over windows of the rest did not help.
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
  // Two pools, so that questions never wait for the pages of a book; when idle only one thread is kept.
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
    // Not aborted with its callers: that would end the thread and lose its loaded model.
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
