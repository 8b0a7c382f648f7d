import type { Logger } from '@quire/shared/logging';
import { redisKeys } from '@quire/shared/redis';
import type { Redis } from 'ioredis';
import type { Embedder } from './embedder.js';
import { vectorFromBytes, vectorToBytes } from './vector-bytes.js';

const KEEP_SECONDS = 24 * 60 * 60;
/** Vectors of questions that any worker has embedded lately. What goes wrong here is a miss, never an error. */
export class RedisVectorCache {
  constructor(
    private readonly redis: Redis,
    private readonly embedder: Pick<Embedder, 'id' | 'dimensions'>,
    private readonly lookupLimitMs: number,
    private readonly logger: Logger,
  ) {}

  async find(key: string): Promise<Float32Array | undefined> {
    try {
      const bytes = await withinLimit(this.lookupLimitMs, this.redis.getBuffer(this.keyOf(key)));
      if (!bytes) return undefined;
      const vector = vectorFromBytes(bytes, this.embedder.dimensions);
      if (!vector) this.logger.debug({ bytes: bytes.length }, 'A cached vector has the wrong length');
      return vector;
    } catch (error) {
      this.logger.debug({ error }, 'Cached vectors cannot be read');
      return undefined;
    }
  }

  /** Not waited for. */
  keep(key: string, vector: Float32Array): void {
    this.redis
      .set(this.keyOf(key), vectorToBytes(vector), 'EX', KEEP_SECONDS)
      .catch((error: unknown) => this.logger.debug({ error }, 'A vector was not cached'));
  }

  private keyOf(key: string): string {
    return redisKeys.queryVector(this.embedder.id, this.embedder.dimensions, key);
  }
}

/** Undefined when the lookup takes too long. */
async function withinLimit<T>(limitMs: number, lookup: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    // After a busy stretch of the event loop timers come first: an answer that has arrived is still read.
    timer = setTimeout(() => setImmediate(resolve, undefined), limitMs);
  });
  try {
    return await Promise.race([lookup, late]);
  } finally {
    clearTimeout(timer);
  }
}
