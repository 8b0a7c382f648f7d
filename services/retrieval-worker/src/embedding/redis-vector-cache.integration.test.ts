import { createLogger } from '@quire/shared/logging';
import { redisKeys } from '@quire/shared/redis';
import { eventually, testRedisUrl } from '@quire/testkit';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { RedisVectorCache } from './redis-vector-cache.js';

const DIMENSIONS = 100;
const MOST = 50;
const VECTORS = 1000;

it('the cached vectors are bounded in size, and the oldest are removed', async () => {
  const redis = new Redis(await testRedisUrl());
  onTestFinished(() => redis.disconnect());
  const embedder = { id: 'test', dimensions: DIMENSIONS };
  const logger = createLogger('test', 'silent');
  const cache = new RedisVectorCache(redis, embedder, 1000, logger, MOST * (DIMENSIONS * 4 + 400));
  for (let number = 1; number <= VECTORS; number += 1) {
    cache.keep(`question-${number}`, new Float32Array(DIMENSIONS));
    await redis.ping();
  }
  const stored = () => redis.keys('quire:query-vector:*');
  // A hundred may be added between two trims.
  await eventually(async () => expect((await stored()).length).toBeLessThanOrEqual(MOST + 100));
  expect(await redis.zcard(redisKeys.queryVectors)).toBe((await stored()).length);
  expect(await cache.find(`question-${VECTORS}`)).toHaveLength(DIMENSIONS);
  expect(await cache.find('question-1')).toBeUndefined();
});
