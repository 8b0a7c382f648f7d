import { randomUUID } from 'node:crypto';
import { eventually, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { redisKeys } from '../redis/redis-keys.js';
import { IndexLease, LeaseLost } from './index-lease.js';

const index = 'quire';
const quick = { renewEveryMs: 20, ttlMs: 3000 };
/** Never renews by itself, like a process that was suspended. */
const asleep = { renewEveryMs: 60_000, ttlMs: 50 };
let redis: Redis;

async function acquired(timings = quick, id = randomUUID()): Promise<IndexLease> {
  const lease = await IndexLease.acquire(redis, index, id, timings);
  if (!lease) throw new Error('The lease is taken');
  onTestFinished(() => lease.release());
  return lease;
}

beforeEach(async () => {
  redis = redisForTest(await testRedisUrl());
});

describe('the lease of an index', () => {
  it('is held by one ingestion at a time, for longer than its time to live', async () => {
    const lease = await acquired();
    const end = () => redis.pexpiretime(redisKeys.indexLease(index));
    const first = await end();
    await eventually(async () => expect(await end()).toBeGreaterThan(first + quick.ttlMs));
    expect(await IndexLease.acquire(redis, index, randomUUID())).toBeUndefined();
    await lease.release();
    await acquired();
  });

  it('leaves other indexes free', async () => {
    await acquired();
    const lease = await IndexLease.acquire(redis, 'other', randomUUID());
    expect(lease).toBeDefined();
    await lease?.release();
  });

  it('falls to the next one when its holder shows no sign of life, and the holder learns of it', async () => {
    const lease = await acquired(asleep);
    await eventually(() => acquired());
    await expect(lease.renew()).rejects.toThrow(LeaseLost);
    expect(lease.lost.reason).toBeInstanceOf(LeaseLost);
  });

  it('is lost for good, even after the one who took it over has ended', async () => {
    const lease = await acquired(asleep);
    const next = await eventually(() => acquired());
    await next.release();
    await expect(lease.renew()).rejects.toThrow(LeaseLost);
  });

  it('that ran out while nobody else came goes on, also in a Redis that lost everything', async () => {
    const lease = await acquired(asleep);
    await eventually(async () => expect(await redis.exists(redisKeys.indexLease(index))).toBe(0));
    await lease.renew();
    await redis.flushdb();
    await lease.renew();
    expect(await IndexLease.acquire(redis, index, randomUUID())).toBeUndefined();
  });

  it('is not given away by one who has lost it', async () => {
    const lease = await acquired(asleep);
    await eventually(() => acquired());
    await lease.release();
    expect(await IndexLease.acquire(redis, index, randomUUID())).toBeUndefined();
  });

  it('names the ingestion that began last, also after that has ended', async () => {
    expect(await IndexLease.holder(redis, index)).toBeUndefined();
    const [first, second] = [randomUUID(), randomUUID()];
    await (await acquired(quick, first)).release();
    expect(await IndexLease.holder(redis, index)).toBe(first);
    await acquired(quick, second);
    expect(await IndexLease.holder(redis, index)).toBe(second);
  });
});
