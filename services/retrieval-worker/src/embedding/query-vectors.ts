import type { Logger } from '@quire/shared/logging';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../batching/single-flight.js';
import type { RetrievalMetrics } from '../metrics.js';
import type { Embedder } from './embedder.js';
import { ProviderBreaker } from '../providers/provider-breaker.js';
import { normaliseQuestion, questionKey } from './question-key.js';
import { RedisVectorCache } from './redis-vector-cache.js';

const KEEP_QUESTIONS = 5000;
const KEEP_BYTES = 32 * 1024 * 1024;
/** A healthy Redis responds within 2 ms; another must not delay a question. */
const LOOKUP_LIMIT_MS = 20;

export interface QueryVectorsParts {
  embedder: Embedder;
  /** A connection of the role `request`, which fails fast. */
  redis: Redis;
  logger: Logger;
  metrics: Pick<RetrievalMetrics, 'queryVectors'>;
  breakerOpenMs?: number;
  lookupLimitMs?: number;
}

export interface QueryVectors {
  /**
   * A question's vector, from the first source that has it: this process' memory, an embedding under way, the cache in
   * Redis, or the embedder. Rejects as `Embedder.embed` does, and at once while the embedder's breaker is open.
   */
  vectorOf(question: string, signal: AbortSignal): Promise<number[]>;
  close(): void;
}

export function openQueryVectors({
  embedder,
  redis,
  logger,
  metrics,
  breakerOpenMs,
  lookupLimitMs = LOOKUP_LIMIT_MS,
}: QueryVectorsParts): QueryVectors {
  // Float32 in every source, so that a question always has the same vector.
  const memory = new LRUCache<string, Float32Array>({
    max: KEEP_QUESTIONS,
    maxSize: KEEP_BYTES,
    sizeCalculation: ({ byteLength }) => byteLength,
  });
  const cache = new RedisVectorCache(redis, embedder, lookupLimitMs, logger);
  const flights = new SingleFlight<Float32Array>();
  const breaker = new ProviderBreaker({ work: 'Embedding of questions', openMs: breakerOpenMs, logger });
  const cameFrom = (from: 'memory' | 'redis' | 'flight' | 'embedder') => metrics.queryVectors.inc({ from });

  async function lookUp(key: string, question: string, signal: AbortSignal): Promise<Float32Array> {
    const cached = await cache.find(key);
    const vector = cached ?? (await embed(question, signal));
    memory.set(key, vector);
    if (!cached) cache.keep(key, vector);
    cameFrom(cached ? 'redis' : 'embedder');
    return vector;
  }

  async function embed(question: string, signal: AbortSignal): Promise<Float32Array> {
    const [vector = []] = await breaker.call(() => embedder.embed([question], 'query', signal));
    return Float32Array.from(vector);
  }

  return {
    async vectorOf(question, signal) {
      signal.throwIfAborted();
      const normalised = normaliseQuestion(question);
      const key = questionKey(normalised);
      const known = memory.get(key);
      if (known) {
        cameFrom('memory');
        return Array.from(known);
      }
      const underWay = flights.has(key);
      const vector = await flights.join(key, signal, (shared) => lookUp(key, normalised, shared));
      if (underWay) cameFrom('flight');
      return Array.from(vector);
    },
    close: () => memory.clear(),
  };
}
