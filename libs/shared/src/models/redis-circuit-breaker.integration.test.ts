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
  misconfigure,
  model,
  redisNow,
  runOf,
  stateOf,
} from '../../test/breaker-for-test.js';
import { redisForTest } from '../../test/open-for-test.js';
import { awaitRedis, redisKeys } from '../redis/index.js';
import { defaultBreakerLimits } from './breaker-limits.js';
import type { FailureKind } from './circuit-breaker.js';
import type { RedisCircuitBreaker } from './redis-circuit-breaker.js';

let url: string;
let redis: Redis;
let breaker: RedisCircuitBreaker;

beforeEach(async () => {
  url = await testRedisUrl();
  redis = redisForTest(url);
  await awaitRedis(redis, 20_000);
  breaker = breakerForTest(redis);
});

type Report = FailureKind | 'success';
const failures = (count: number): Report[] => Array.from({ length: count }, () => 'unavailable');

describe('opening', () => {
  it.each<[reports: Report[], state: string, reason?: FailureKind]>([
    [[], 'closed'],
    [['success'], 'closed'],
    [failures(4), 'closed'],
    [failures(5), 'open', 'unavailable'],
    [[...failures(4), 'success', ...failures(4)], 'closed'],
    [[...failures(4), 'success', ...failures(5)], 'open', 'unavailable'],
    [['misconfigured'], 'closed'],
    [['misconfigured', 'misconfigured'], 'open', 'misconfigured'],
    [['misconfigured', 'success', 'misconfigured'], 'closed'],
    [['misconfigured', ...failures(4)], 'closed'],
    [['rate_limited'], 'open', 'rate_limited'],
    [[...failures(5), 'success'], 'open', 'unavailable'],
    [[...failures(5), 'misconfigured'], 'open', 'unavailable'],
    [['misconfigured', 'misconfigured', 'success', ...failures(5)], 'open', 'misconfigured'],
    [['rate_limited', 'success'], 'open', 'rate_limited'],
    [['rate_limited', ...failures(5)], 'open', 'unavailable'],
  ])(
    'calls that are admitted together and report %j leave the breaker %s %s',
    async (reports, state, reason) => {
      const calls = await admittedAll(breaker, reports.length);
      for (const [i, call] of calls.entries()) {
        const report = reports[i];
        if (report === undefined || report === 'success') await breaker.succeeded(model, call);
        else await breaker.failed(model, call, { kind: report });
      }
      await expectState(breaker, state, reason);
      const next = await breaker.admit(model, runOf());
      if (state === 'closed') expect(next).toMatchObject({ admitted: true, probe: false });
      else expect(next).toMatchObject({ admitted: false, reason, retryAfterMs: expect.any(Number) });
    },
  );
});

describe('an open breaker', () => {
  it('an open breaker tells since when, and when the next call may be admitted', async () => {
    const before = await redisNow(redis);
    await failOften(breaker);
    const { since = '', retry_at = '' } = (await stateOf(breaker)) ?? {};
    expect(Date.parse(since)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(retry_at) - Date.parse(since)).toBe(10_000);
    const refused = await breaker.admit(model, runOf());
    expect(refused).toMatchObject({ admitted: false, reason: 'unavailable' });
    expect((refused as { retryAfterMs: number }).retryAfterMs).toBeLessThanOrEqual(10_000);
  });

  it('a wrong configuration opens the breaker for 30 s', async () => {
    await expectShutFor(30_000, redis, breaker, () => misconfigure(breaker));
  });

  it('an open breaker does not affect other models', async () => {
    await failOften(breaker);
    expect(await breaker.admit('0123456789ab:another', runOf())).toMatchObject({ admitted: true });
    expect([...(await breaker.states([model, 'none'])).values()]).toMatchObject([
      { state: 'open' },
      { state: 'closed' },
    ]);
  });

  it('a breaker is open for all processes', async () => {
    await failOften(breaker);
    const elsewhere = redisForTest(url);
    await awaitRedis(elsewhere, 20_000);
    expect(await breakerForTest(elsewhere).admit(model, runOf())).toMatchObject({ admitted: false });
  });
});

it('failures that are too far apart do not open the breaker', async () => {
  const brief = breakerForTest(redis, { unavailable: { ...defaultBreakerLimits.unavailable, withinMs: 50 } });
  await failOften(brief, 4);
  const last = await redisNow(redis);
  await eventually(async () => expect(await redisNow(redis)).toBeGreaterThan(last + 50));
  await failOften(brief, 1);
  await expectState(brief, 'closed');
});

describe('failures of calls from before the breaker closed', () => {
  it.each<[FailureKind, string]>([
    ['unavailable', 'closed'],
    ['misconfigured', 'closed'],
    ['rate_limited', 'open'],
  ])('%s: %s', async (kind, state) => {
    const old = await admittedAll(breaker, 5);
    await halfOpen(redis);
    await breaker.succeeded(model, await admitted(breaker));
    for (const call of old) await breaker.failed(model, call, { kind });
    expect(await stateOf(breaker)).toMatchObject({ state });
  });

  it('failures of calls from before the breaker closed do not hide new ones', async () => {
    await halfOpen(redis);
    await breaker.succeeded(model, await admitted(breaker));
    await failOften(breaker);
    await expectState(breaker, 'open', 'unavailable');
  });
});

describe('memory', () => {
  it('a breaker without failures keeps nothing in Redis', async () => {
    await breaker.succeeded(model, await admitted(breaker));
    expect(await redis.keys('*')).toEqual([]);
  });

  it('a breaker expires when no call uses it', async () => {
    const forgetful = breakerForTest(redis, { memoryMs: 100 });
    await failOften(forgetful, 1);
    await eventually(async () => expect(await redis.keys('*')).toEqual([]));
  });

  const minute = 60_000;
  it.each<[title: string, leastMs: number, mostMs: number, arrange: () => Promise<unknown>]>([
    ['a failure', 0, 15 * minute, () => failOften(breaker, 1)],
    ['an open breaker', 2 * minute, 3 * minute, () => failOften(breaker)],
    ['a probe', 2 * minute, 3 * minute, () => halfOpen(redis).then(() => admitted(breaker))],
    [
      'a closed breaker',
      0,
      15 * minute,
      async () => {
        await halfOpen(redis);
        await breaker.succeeded(model, await admitted(breaker));
      },
    ],
    [
      'a rate limit',
      0,
      15 * minute,
      async () => breaker.failed(model, await admitted(breaker), { kind: 'rate_limited' }),
    ],
    [
      'a wrong configuration, which a quiet night must not hide',
      23 * 60 * minute,
      24 * 60 * minute,
      () => misconfigure(breaker),
    ],
    [
      'a first sign of a wrong configuration, which a rare question must not miss',
      23 * 60 * minute,
      24 * 60 * minute,
      async () => breaker.failed(model, await admitted(breaker), { kind: 'misconfigured' }),
    ],
  ])('the key of a breaker has an expiry: %s', async (_title, leastMs, mostMs, arrange) => {
    await arrange();
    const ttl = await redis.pttl(redisKeys.modelBreaker(model));
    expect(ttl).toBeGreaterThan(leastMs);
    expect(ttl).toBeLessThanOrEqual(mostMs);
  });
});
