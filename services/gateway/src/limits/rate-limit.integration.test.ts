import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, testRedisUrl } from '@quire/testkit';
import { redisKeys } from '@quire/shared/redis';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { RateLimit, type Counted, type RateWindow } from './rate-limit.js';

const CALLER = 'caller';
const KEY = redisKeys.requestRate(CALLER);
const shortWindow: RateWindow = { windowMs: 500, slices: 10 };
/** No slice of it ends within a test. */
const longWindow: RateWindow = { windowMs: 36_000_000, slices: 60 };

/** The limits of two gateways that share a Redis. */
async function twoGateways(window: RateWindow) {
  const url = await testRedisUrl();
  const [redis, second] = [new Redis(url), new Redis(url)];
  onTestFinished(() => {
    redis.disconnect();
    second.disconnect();
  });
  const now = async () => {
    const [seconds = 0, microseconds = 0] = await redis.time();
    return seconds * 1000 + microseconds / 1000;
  };
  return { redis, now, one: new RateLimit(redis, window), other: new RateLimit(second, window) };
}

const isExceeded = ({ slice }: Counted) => slice === undefined;
const refund = (rate: RateLimit, { slice }: Counted) => {
  if (slice === undefined) throw new Error('The request was not counted');
  return rate.refund(CALLER, slice);
};
const countedOf = async (redis: Redis) => (await redis.hvals(KEY)).reduce((sum, n) => sum + Number(n), 0);

it('no window, wherever it begins, holds more requests than the limit', async () => {
  const limit = 8;
  const { windowMs } = shortWindow;
  const { one, other, now } = await twoGateways(shortWindow);
  const accepted: { noSooner: number; noLater: number }[] = [];
  const tryUntil = async (end: number) => {
    let noSooner = await now();
    for (let i = 0; noSooner < end; i += 1) {
      const counted = await (i % 2 ? one : other).count(CALLER, limit);
      const noLater = await now();
      if (!isExceeded(counted)) accepted.push({ noSooner, noLater });
      noSooner = noLater;
    }
  };
  // A fixed window that begins with the first request would take most of its limit at its end and all of the next one.
  expect(isExceeded(await one.count(CALLER, limit))).toBe(false);
  const begun = await now();
  accepted.push({ noSooner: -Infinity, noLater: begun });
  await sleep(0.7 * windowMs);
  await tryUntil(begun + 3 * windowMs);
  expect(accepted.length).toBeGreaterThan(limit);
  const tooClose = accepted.filter(
    ({ noSooner }, i) => (accepted[i + limit]?.noLater ?? Infinity) - noSooner <= windowMs,
  );
  expect(tooClose).toEqual([]);
});

it('two gateways that count concurrently accept exactly the limit', async () => {
  const { one, other } = await twoGateways(longWindow);
  const taken = await Promise.all(
    Array.from({ length: 60 }, (_, i) => (i % 2 ? one : other).count(CALLER, 25)),
  );
  expect(taken.filter((counted) => !isExceeded(counted))).toHaveLength(25);
});

it('a refused request is accepted after the time it was given, and not before', async () => {
  const { one, now } = await twoGateways(shortWindow);
  for (let i = 0; i < 3; i += 1) expect(isExceeded(await one.count(CALLER, 3))).toBe(false);
  const noSooner = await now();
  const refused = await one.count(CALLER, 3);
  // If the machine stood still for a whole window, nothing is refused.
  if (!isExceeded(refused)) return;
  const noLater = await now();
  expect(refused.nextMs).toBeGreaterThan(0);
  expect(refused.resetMs).toBeGreaterThanOrEqual(refused.nextMs);
  const early = await one.count(CALLER, 3);
  if (!isExceeded(early)) expect(await now()).toBeGreaterThanOrEqual(noSooner + refused.nextMs);
  while ((await now()) < noLater + refused.nextMs) await sleep(5);
  expect(isExceeded(await one.count(CALLER, 3)) && !isExceeded(early)).toBe(false);
});

it('a refund frees one request, and a second or late refund frees no other', async () => {
  const { one, redis } = await twoGateways(longWindow);
  const [first] = [await one.count(CALLER, 2), await one.count(CALLER, 2)];
  expect(await one.count(CALLER, 2)).toMatchObject({ slice: undefined, remaining: 0 });
  await refund(one, first);
  expect(await one.count(CALLER, 2)).toMatchObject({
    slice: expect.any(Number),
    remaining: 0,
    nextMs: expect.any(Number),
  });
  expect(isExceeded(await one.count(CALLER, 2))).toBe(true);
  await redis.del(KEY);
  await refund(one, first);
  expect(await countedOf(redis)).toBe(0);
  expect(await one.count(CALLER, 2)).toMatchObject({ slice: expect.any(Number), remaining: 1, nextMs: 0 });
});

it('a changed limit holds at once, with the requests counted before', async () => {
  const { one } = await twoGateways(longWindow);
  for (let i = 0; i < 5; i += 1) await one.count(CALLER, 5);
  expect(isExceeded(await one.count(CALLER, 5))).toBe(true);
  expect(await one.count(CALLER, 8)).toMatchObject({ slice: expect.any(Number), limit: 8, remaining: 2 });
  const refused = await one.count(CALLER, 2);
  expect(refused).toMatchObject({ slice: undefined, limit: 2, remaining: 0 });
  expect(refused.nextMs).toBeGreaterThan(0);
});

it('a caller has one key of a bounded size, which expires when the caller makes no more requests', async () => {
  const { one, redis, now } = await twoGateways(shortWindow);
  const end = (await now()) + 2 * shortWindow.windowMs;
  while ((await now()) < end) {
    await Promise.all(Array.from({ length: 20 }, () => one.count(CALLER, 100_000)));
    expect(await redis.hlen(KEY)).toBeLessThanOrEqual(shortWindow.slices + 2);
  }
  expect(await redis.keys('*')).toEqual([KEY]);
  await eventually(async () => expect(await redis.keys('*')).toEqual([]));
});
