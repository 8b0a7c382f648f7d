import type { Logger } from '@quire/shared/logging';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../batching/single-flight.js';
import type { RetrievalMetrics } from '../metrics.js';
import type { Embedder } from './embedder.js';
import { OutageRest } from '../providers/outage-rest.js';
import { normaliseQuestion, questionKey } from './question-key.js';
import { RedisVectorCache } from './redis-vector-cache.js';

const KEEP_QUESTIONS = 5000;
const KEEP_BYTES = 32 * 1024 * 1024;
/** A Redis that is well answers within a millisecond or two; one that is not must not hold up a question. */
const LOOKUP_LIMIT_MS = 20;

export interface QueryVectorsParts {
  embedder: Embedder;
  /** Of the role `request`, which fails fast. */
  redis: Redis;
  logger: Logger;
  metrics: Pick<RetrievalMetrics, 'queryVectors'>;
  restMs?: number;
  lookupLimitMs?: number;
}

export interface QueryVectors {
  /**
   * A question's vector from the nearest place that has it: this process, another worker's work in Redis, an
   * embedding under way, or the embedder. Rejects as `Embedder.embed` does, at once while the embedder is away.
   */
  vectorOf(question: string, signal: AbortSignal): Promise<number[]>;
  close(): void;
}

export function openQueryVectors({
  embedder,
  redis,
  logger,
  metrics,
  restMs,
  lookupLimitMs = LOOKUP_LIMIT_MS,
}: QueryVectorsParts): QueryVectors {
  // Floats of four bytes everywhere, so that a question has the same vector wherever it comes from.
  const memory = new LRUCache<string, Float32Array>({
    max: KEEP_QUESTIONS,
    maxSize: KEEP_BYTES,
    sizeCalculation: ({ byteLength }) => byteLength,
  });
  const cache = new RedisVectorCache(redis, embedder, lookupLimitMs, logger);
  const flights = new SingleFlight<Float32Array>();
  const rest = new OutageRest({ work: 'Embedding of questions', restMs, logger });
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
    const [vector = []] = await rest.guard(() => embedder.embed([question], 'query', signal));
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
      const vector = await flights.join(key, signal, (all) => lookUp(key, normalised, all));
      if (underWay) cameFrom('flight');
      return Array.from(vector);
    },
    close: () => memory.clear(),
  };
}
