import { randomUUID } from 'node:crypto';
import { testRedisUrl } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { IndexLease } from './index-lease.js';

it('an index is leased to one ingestion at a time, and other indexes stay free', async () => {
  const redis = redisForTest(await testRedisUrl());
  const index = randomUUID();
  const lease = await IndexLease.acquire(redis, index, randomUUID());
  expect(await IndexLease.acquire(redis, index, randomUUID())).toBeUndefined();
  const other = await IndexLease.acquire(redis, randomUUID(), randomUUID());
  expect(other).toBeDefined();
  await Promise.all([lease?.release(), other?.release()]);
});

it('the last holder of an index is the ingestion that acquired it last, also after its release', async () => {
  const redis = redisForTest(await testRedisUrl());
  const index = randomUUID();
  expect(await IndexLease.lastHolder(redis, index)).toBeUndefined();
  const [first, second] = [randomUUID(), randomUUID()];
  await (await IndexLease.acquire(redis, index, first))?.release();
  expect(await IndexLease.lastHolder(redis, index)).toBe(first);
  const lease = await IndexLease.acquire(redis, index, second);
  onTestFinished(() => lease?.release());
  expect(await IndexLease.lastHolder(redis, index)).toBe(second);
});
