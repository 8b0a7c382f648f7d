import type { Logger } from '@quire/shared/logging';
import { forgetOldest, redisKeys } from '@quire/shared/redis';
import { within } from '@quire/shared/time';
import type { Redis } from 'ioredis';
import type { Embedder } from './embedder.js';
import { vectorFromBytes, vectorToBytes } from './vector-bytes.js';

const KEEP_SECONDS = 24 * 60 * 60;
/** The limit for all workers together. */
const KEEP_BYTES = 32 * 1024 * 1024;
/** Approximately: key, expiry and entry in the list of vectors. */
const BYTES_BESIDE_VECTOR = 400;
const TRIM_EVERY = 100;

/** Vectors of questions that any worker has embedded in the last 24 hours. A failure here is a miss, never an error. */
export class RedisVectorCache {
  private keptSinceTrim = 0;

  constructor(
    private readonly redis: Redis,
    private readonly embedder: Pick<Embedder, 'id' | 'dimensions'>,
    private readonly lookupLimitMs: number,
    private readonly logger: Logger,
    private readonly keepBytes = KEEP_BYTES,
  ) {}

  async find(key: string): Promise<Float32Array | undefined> {
    try {
      const bytes = await within(this.lookupLimitMs, this.redis.getBuffer(this.keyOf(key)));
      if (!bytes) return undefined;
      const vector = vectorFromBytes(bytes, this.embedder.dimensions);
      if (!vector) this.logger.debug({ bytes: bytes.length }, 'A cached vector has the wrong length');
      return vector;
    } catch (error) {
      this.logger.debug({ error }, 'Cached vectors cannot be read');
      return undefined;
    }
  }

  /** Returns at once; a failure is logged. */
  keep(key: string, vector: Float32Array): void {
    this.store(this.keyOf(key), vector).catch((error: unknown) =>
      this.logger.debug({ error }, 'A vector was not cached'),
    );
  }

  private async store(name: string, vector: Float32Array): Promise<void> {
    await Promise.all([
      this.redis.set(name, vectorToBytes(vector), 'EX', KEEP_SECONDS),
      this.redis.zadd(redisKeys.queryVectors, Date.now(), name),
    ]);
    this.keptSinceTrim += 1;
    if (this.keptSinceTrim < TRIM_EVERY) return;
    this.keptSinceTrim = 0;
    const most = Math.floor(this.keepBytes / (this.embedder.dimensions * 4 + BYTES_BESIDE_VECTOR));
    await forgetOldest(this.redis, redisKeys.queryVectors, { most, maxAgeMs: KEEP_SECONDS * 1000 });
  }

  private keyOf(key: string): string {
    return redisKeys.queryVector(this.embedder.id, this.embedder.dimensions, key);
  }
}
