import { eventually, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  admitted,
  breakerForTest,
  expectShutFor,
  expectState,
  failOften,
  halfOpen,
  model,
  runOf,
  stateOf,
  unavailable,
} from '../../test/breaker-for-test.js';
import { redisForTest } from '../../test/open-for-test.js';
import { awaitRedis } from '../redis/index.js';
import type { Admitted } from './circuit-breaker.js';
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

const expectRefused = async () =>
  expect(await breaker.admit(model, runOf())).toMatchObject({ admitted: false });

describe('a half-open breaker', () => {
  it('a half-open breaker admits one call of all processes, as the probe', async () => {
    await halfOpen(redis);
    const connections = Array.from({ length: 5 }, () => redisForTest(url));
    await Promise.all(connections.map((connection) => awaitRedis(connection, 20_000)));
    const breakers = connections.map((connection) => breakerForTest(connection));
    const admissions = await Promise.all(
      Array.from({ length: 10 }, () => breakers.map((each) => each.admit(model, runOf()))).flat(),
    );
    expect(admissions).toHaveLength(50);
    expect(admissions.filter((admission) => admission.admitted)).toMatchObject([{ probe: true }]);
    expect(admissions.find((admission) => !admission.admitted)).toMatchObject({
      reason: 'unavailable',
      retryAfterMs: expect.any(Number),
    });
  });

  it.each<
    [verdict: string, state: string, reason: string | undefined, report: (probe: Admitted) => Promise<void>]
  >([
    ['success', 'closed', undefined, (probe) => breaker.succeeded(model, probe)],
    ['unavailable', 'open', 'unavailable', (probe) => breaker.failed(model, probe, unavailable)],
    [
      'misconfigured',
      'open',
      'misconfigured',
      (probe) => breaker.failed(model, probe, { kind: 'misconfigured' }),
    ],
    ['none', 'half_open', 'unavailable', (probe) => breaker.abandoned(model, probe)],
  ])('a half-open breaker with the verdict %s is %s %s', async (_verdict, state, reason, report) => {
    await halfOpen(redis);
    const probe = await admitted(breaker);
    await expectRefused();
    await report(probe);
    await expectState(breaker, state, reason);
  });

  it('after an abandoned probe the next call is admitted as the probe at once', async () => {
    await halfOpen(redis);
    await breaker.abandoned(model, await admitted(breaker));
    expect(await breaker.admit(model, runOf())).toMatchObject({ admitted: true, probe: true });
    await expectRefused();
  });

  it('a half-open breaker ignores the reports of other calls than the probe', async () => {
    const old = await admitted(breaker);
    await halfOpen(redis);
    await admitted(breaker);
    await breaker.succeeded(model, old);
    await breaker.failed(model, old, unavailable);
    await breaker.abandoned(model, old);
    await expectState(breaker, 'half_open', 'unavailable');
    await expectRefused();
  });
});

it('each failed probe opens the breaker for twice as long, up to the longest time', async () => {
  const doubling = breakerForTest(redis, { unavailableMs: 500, longestOpenMs: 1500 });
  const failedProbe = async () => {
    const probe = await eventually(() => admitted(doubling));
    expect(probe.probe).toBe(true);
    return () => doubling.failed(model, probe, unavailable);
  };
  await expectShutFor(500, redis, doubling, () => failOften(doubling));
  const { since } = (await stateOf(doubling)) ?? {};
  await expectShutFor(1000, redis, doubling, await failedProbe());
  await expectShutFor(1500, redis, doubling, await failedProbe());
  expect(await stateOf(doubling)).toMatchObject({ state: 'open', since });
});

it('a breaker that has closed opens for the shortest time again', async () => {
  const doubling = breakerForTest(redis, { unavailableMs: 300 });
  await failOften(doubling);
  await doubling.failed(model, await eventually(() => admitted(doubling)), unavailable);
  await doubling.succeeded(model, await eventually(() => admitted(doubling)));
  await expectShutFor(300, redis, doubling, () => failOften(doubling));
});

describe('lost probe', () => {
  const takenOver = async () => {
    const hasty = breakerForTest(redis, { probeMs: 50 });
    await halfOpen(redis);
    const dead = await admitted(hasty);
    const next = await eventually(() => admitted(breaker));
    expect(next).toMatchObject({ probe: true });
    return { dead, next };
  };

  it('a probe whose process crashed blocks other calls for its time limit', async () => {
    await takenOver();
    await expectRefused();
  });

  it('a probe that reports after another one was admitted is ignored', async () => {
    const { dead, next } = await takenOver();
    await breaker.succeeded(model, dead);
    await breaker.failed(model, dead, unavailable);
    await breaker.abandoned(model, dead);
    await expectState(breaker, 'half_open', 'unavailable');
    await breaker.succeeded(model, next);
    await breaker.failed(model, dead, unavailable);
    await expectState(breaker, 'closed');
  });

  it('a probe that reports after its time limit counts if no other was admitted', async () => {
    const hasty = breakerForTest(redis, { probeMs: 0 });
    await halfOpen(redis);
    await breaker.succeeded(model, await admitted(hasty));
    await expectState(breaker, 'closed');
  });
});
