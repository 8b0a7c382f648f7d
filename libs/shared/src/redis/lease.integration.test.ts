import { randomUUID } from 'node:crypto';
import { eventually, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { Lease, LeaseLost, type LeaseKeys } from './lease.js';

const quick = { renewEveryMs: 20, ttlMs: 3000 };
/** Never renews by itself, like a process that is suspended. */
const asleep = { renewEveryMs: 60_000, ttlMs: 50 };
const plain: LeaseKeys = { lease: 'lease' };
const remembered: LeaseKeys = { lease: 'lease', lastOwner: 'last-owner' };
let redis: Redis;

beforeEach(async () => {
  redis = redisForTest(await testRedisUrl());
  await redis.flushdb();
});

const tryToAcquire = (keys: LeaseKeys) => Lease.acquire(redis, keys, randomUUID(), quick);

async function acquired(keys: LeaseKeys, timings = quick): Promise<Lease> {
  const lease = await Lease.acquire(redis, keys, randomUUID(), timings);
  if (!lease) throw new Error('The lease is taken');
  onTestFinished(() => lease.release());
  return lease;
}

it('a lease has one owner, who renews it until it is released', async () => {
  const lease = await acquired(plain);
  const expiry = () => redis.pexpiretime('lease');
  const first = await expiry();
  await eventually(async () => expect(await expiry()).toBeGreaterThan(first + quick.ttlMs));
  expect(await tryToAcquire(plain)).toBeUndefined();
  await lease.release();
  await acquired(plain);
});

it('a lease that its owner does not renew goes to the next one, and its former owner learns of the loss', async () => {
  const lease = await acquired(plain, asleep);
  await eventually(() => acquired(plain));
  await expect(lease.renew()).rejects.toThrow(LeaseLost);
  expect(lease.lost.reason).toBeInstanceOf(LeaseLost);
});

it('a lease that a later owner has had and released is lost when the last owner is kept', async () => {
  const lease = await acquired(remembered, asleep);
  const next = await eventually(() => acquired(remembered));
  await next.release();
  await expect(lease.renew()).rejects.toThrow(LeaseLost);
});

it.each([plain, remembered])(
  'a lease that expired, or was lost with Redis, is renewed if no other owner took it: %o',
  async (keys) => {
    const lease = await acquired(keys, asleep);
    await eventually(async () => expect(await redis.exists('lease')).toBe(0));
    await lease.renew();
    await redis.flushdb();
    await lease.renew();
    expect(await tryToAcquire(keys)).toBeUndefined();
  },
);

it('a lease is not released by an owner that has lost it', async () => {
  const lease = await acquired(plain, asleep);
  await eventually(() => acquired(plain));
  await lease.release();
  expect(await tryToAcquire(plain)).toBeUndefined();
});
