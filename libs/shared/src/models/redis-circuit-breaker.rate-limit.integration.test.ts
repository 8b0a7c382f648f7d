import { eventually, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  admitted,
  admittedAll,
  breakerForTest,
  expectShutFor,
  expectState,
  failOften,
  halfOpen,
  model,
  redisNow,
  runOf,
  stateOf,
} from '../../test/breaker-for-test.js';
import { redisForTest } from '../../test/open-for-test.js';
import { awaitRedis } from '../redis/index.js';
import type { Admitted } from './circuit-breaker.js';
import type { RedisCircuitBreaker } from './redis-circuit-breaker.js';

let redis: Redis;
let breaker: RedisCircuitBreaker;

beforeEach(async () => {
  redis = redisForTest(await testRedisUrl());
  await awaitRedis(redis, 20_000);
  breaker = breakerForTest(redis);
});

const limited = (call: Admitted, retryAfterMs?: number) =>
  breaker.failed(model, call, { kind: 'rate_limited', retryAfterMs });

describe('a rate limit', () => {
  it.each<[named: number | undefined, ms: number]>([
    [1234, 1234],
    [1234.5, 1235],
    [undefined, 5000],
    [3_600_000, 60_000],
  ])('a rate limit of %s ms holds for %s ms', async (named, ms) => {
    const call = await admitted(breaker);
    await expectShutFor(ms, redis, breaker, () => limited(call, named));
  });

  it('a rate limit refuses every call before the time that the provider named, and none after it', async () => {
    await limited(await admitted(breaker), 500);
    const retryAt = Date.parse((await stateOf(breaker))?.retry_at ?? '');
    expect(await breaker.admit(model, runOf())).toMatchObject({ admitted: false, reason: 'rate_limited' });
    await eventually(() => admitted(breaker));
    expect(await redisNow(redis)).toBeGreaterThanOrEqual(retryAt);
    expect(await admittedAll(breaker, 3)).toMatchObject(Array.from({ length: 3 }, () => ({ probe: false })));
    await expectState(breaker, 'closed');
  });

  it('a later rate limit does not shorten an earlier one', async () => {
    const [first, second] = await admittedAll(breaker, 2);
    if (!first || !second) throw new Error('not admitted');
    await expectShutFor(30_000, redis, breaker, async () => {
      await limited(first, 30_000);
      await limited(second, 1000);
    });
  });

  it('a rate limit also holds while failures open the breaker', async () => {
    const call = await admitted(breaker);
    await failOften(breaker);
    await expectShutFor(40_000, redis, breaker, () => limited(call, 40_000));
    await expectState(breaker, 'open', 'unavailable');
  });

  it('a rate limit holds after a probe that succeeds', async () => {
    const call = await admitted(breaker);
    await halfOpen(redis);
    const probe = await admitted(breaker);
    await limited(call, 40_000);
    await breaker.succeeded(model, probe);
    await expectState(breaker, 'open', 'rate_limited');
  });

  it('a rate limit is no verdict of a probe: when it has passed another probe is admitted', async () => {
    await halfOpen(redis);
    await limited(await admitted(breaker), 200);
    const next = await eventually(() => admitted(breaker));
    expect(next.probe).toBe(true);
    await breaker.succeeded(model, next);
    await expectState(breaker, 'closed');
  });
});
