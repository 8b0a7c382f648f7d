import { timeBudgets } from '@quire/shared/time';
import { eventually, testRedisUrl } from '@quire/testkit';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { Slots, type LeaseTimes } from './slots.js';

const KEY = 'slots';
const shortTimes: LeaseTimes = { leaseMs: 3000, renewEveryMs: 100 };

/** Slots of two gateways. The first can be killed: its slots are neither renewed nor released any more. */
async function twoGateways(times?: LeaseTimes) {
  const url = await testRedisUrl();
  const connections = [new Redis(url), new Redis(url)] as const;
  const [one, other] = [new Slots(connections[0], times), new Slots(connections[1], times)] as const;
  for (const slots of [one, other]) slots.renewal.start();
  onTestFinished(() => {
    for (const slots of [one, other]) void slots.renewal.stop();
    for (const redis of connections) redis.disconnect();
  });
  return { one, other, redis: connections[1], killOne: () => void one.renewal.stop() };
}

it('two gateways together take no more slots than there are', async () => {
  const { one, other } = await twoGateways();
  const taken = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? one : other).take(KEY, 10)));
  expect(taken.filter(Boolean)).toHaveLength(10);
});

it('a released slot is free again, and releasing it twice frees no other', async () => {
  const { one, other } = await twoGateways();
  const [slot] = [await one.take(KEY, 2), await one.take(KEY, 2)];
  expect(await other.take(KEY, 2)).toBeUndefined();
  slot?.release();
  slot?.release();
  await eventually(async () => expect(await other.take(KEY, 2)).toBeDefined());
  expect(await other.take(KEY, 2)).toBeUndefined();
});

it('keys do not share slots', async () => {
  const { one } = await twoGateways();
  await one.take(KEY, 1);
  expect(await one.take('another', 1)).toBeDefined();
});

it('a held slot is renewed before its lease ends', async () => {
  const { one, other, redis } = await twoGateways(shortTimes);
  await one.take(KEY, 1);
  const endOfLease = async () => Number((await redis.zrange(KEY, '0', '0', 'WITHSCORES'))[1]);
  const first = await endOfLease();
  await eventually(async () => expect(await endOfLease()).toBeGreaterThan(first + shortTimes.leaseMs));
  expect(await other.take(KEY, 1)).toBeUndefined();
});

it('the slots of a killed gateway are free when their leases expire', async () => {
  const { one, other, killOne } = await twoGateways(shortTimes);
  for (const slots of [one, one, other]) await slots.take(KEY, 3);
  expect(await other.take(KEY, 3)).toBeUndefined();
  killOne();
  // The other gateway keeps its slot meanwhile.
  for (let i = 0; i < 2; i += 1) await eventually(async () => expect(await other.take(KEY, 3)).toBeDefined());
  expect(await other.take(KEY, 3)).toBeUndefined();
  expect(timeBudgets.slotLease.leaseMs).toBeLessThanOrEqual(30_000);
});

it('a held slot that Redis has lost is taken again by its gateway', async () => {
  const { one, other, redis } = await twoGateways(shortTimes);
  await one.take(KEY, 1);
  await redis.flushdb();
  await eventually(async () => expect(await redis.zcard(KEY)).toBe(1));
  expect(await other.take(KEY, 1)).toBeUndefined();
});

it('released slots leave no key in Redis', async () => {
  const { one, redis } = await twoGateways(shortTimes);
  (await one.take(KEY, 1))?.release();
  await eventually(async () => expect(await redis.keys('*')).toEqual([]));
});
