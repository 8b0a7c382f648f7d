import { eventually, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  admitted,
  breakerForTest,
  expectState,
  failOften,
  misconfigure,
  model,
  redisNow,
  runOf,
  unavailable,
} from '../../test/breaker-for-test.js';
import { redisForTest } from '../../test/open-for-test.js';
import { awaitRedis } from '../redis/index.js';
import { defaultBreakerLimits } from './breaker-limits.js';
import type { Caller, FailureKind } from './circuit-breaker.js';
import type { RedisCircuitBreaker } from './redis-circuit-breaker.js';

let redis: Redis;
let breaker: RedisCircuitBreaker;

beforeEach(async () => {
  redis = redisForTest(await testRedisUrl());
  await awaitRedis(redis, 20_000);
  breaker = breakerForTest(redis);
});

const fail = async (caller: Caller, kind: FailureKind = 'unavailable') =>
  breaker.failed(model, await admitted(breaker, caller), { kind });
const succeed = async (tenant: string) => breaker.succeeded(model, await admitted(breaker, runOf(tenant)));
const expectAdmission = async (tenant: string, expected: object) =>
  expect(await breaker.admit(model, runOf(tenant))).toMatchObject(expected);
const expectRefused = (tenant: string) => expectAdmission(tenant, { admitted: false });
const expectAdmitted = (tenant: string) => expectAdmission(tenant, { admitted: true, probe: false });

it('failures of two runs do not open the breaker, however many calls they make', async () => {
  const [first, second] = [runOf(), runOf()];
  for (let call = 0; call < 10; call += 1) await fail(call % 2 === 0 ? first : second);
  await expectState(breaker, 'closed');
  await fail(runOf());
  await expectState(breaker, 'open', 'unavailable');
});

it('a wrong configuration reported by one run alone does not open the breaker', async () => {
  const run = runOf();
  for (let call = 0; call < 10; call += 1) await fail(run, 'misconfigured');
  await expectState(breaker, 'closed');
  await fail(runOf(), 'misconfigured');
  await expectState(breaker, 'open', 'misconfigured');
});

describe.each<[kind: FailureKind, open: (tenant: string) => Promise<void>, callsOfOthers: number]>([
  ['unavailable', (tenant) => failOften(breaker, 10, tenant), 2],
  ['misconfigured', (tenant) => misconfigure(breaker, tenant), 1],
])('only one tenant has %s calls', (kind, openTo, callsOfOthers) => {
  it(`a breaker opened by one tenant's ${kind} calls is open for that tenant alone`, async () => {
    await openTo('poisoner');
    await expectState(breaker, 'open', kind);
    await expectRefused('poisoner');
    await expectAdmitted('bystander');
    await expectAdmitted('another');
  });

  it(`a breaker opened by one tenant's ${kind} calls is closed by another tenant's success`, async () => {
    await openTo('poisoner');
    await succeed('bystander');
    await expectState(breaker, 'closed');
    await expectAdmitted('poisoner');
  });

  it(`a breaker opened by one tenant's ${kind} calls opens for all tenants after failures of others`, async () => {
    await openTo('poisoner');
    for (let call = 0; call < callsOfOthers; call += 1) {
      await expectAdmitted('bystander');
      await fail(runOf('bystander'), kind);
    }
    for (const tenant of ['poisoner', 'bystander', 'another']) await expectRefused(tenant);
  });

  it(`a breaker opened by one tenant's ${kind} calls stays closed to others however often that tenant fails`, async () => {
    const brief = breakerForTest(redis, { unavailableMs: 1, misconfiguredMs: 1, longestOpenMs: 1 });
    breaker = brief;
    await openTo('poisoner');
    for (let probe = 0; probe < 5; probe += 1) {
      const call = await eventually(() => admitted(brief, runOf('poisoner')));
      expect(call.probe).toBe(true);
      await brief.failed(model, call, { kind });
      await expectAdmitted('bystander');
    }
  });
});

it('a single failure of another tenant does not open the breaker for all', async () => {
  await failOften(breaker, 10, 'poisoner');
  await fail(runOf('bystander'));
  await expectAdmitted('bystander');
});

it("another tenant's failures open the breaker for all although the first tenant's are long past", async () => {
  await misconfigure(breaker, 'poisoner');
  const last = await redisNow(redis);
  await eventually(async () => expect(await redisNow(redis)).toBeGreaterThan(last + 1));
  const { misconfigured } = defaultBreakerLimits;
  breaker = breakerForTest(redis, { misconfigured: { ...misconfigured, withinMs: 1 } });
  await fail(runOf('bystander'), 'misconfigured');
  await expectRefused('bystander');
});

it("another tenant's failures of another kind do not open the breaker for all", async () => {
  await failOften(breaker, 10, 'poisoner');
  await fail(runOf('bystander'), 'misconfigured');
  await expectAdmitted('bystander');
});

it('failures of several tenants open the breaker for all', async () => {
  for (const tenant of ['a', 'b', 'c', 'a']) await fail(runOf(tenant));
  await expectState(breaker, 'closed');
  await fail(runOf('b'));
  for (const tenant of ['a', 'b', 'd']) await expectRefused(tenant);
});

it("after a failed probe its tenant waits twice as long, so that the next probe is another tenant's", async () => {
  breaker = breakerForTest(redis, { unavailableMs: 1 });
  for (const tenant of ['a', 'b', 'a', 'b', 'a']) await fail(runOf(tenant));
  const probe = await eventually(() => admitted(breaker, runOf('a')));
  expect(probe.probe).toBe(true);
  const patient = breakerForTest(redis, { unavailableMs: 60_000 });
  await patient.failed(model, probe, unavailable);
  const [own, other] = [await breaker.admit(model, runOf('a')), await breaker.admit(model, runOf('b'))];
  if (own.admitted || other.admitted) throw new Error('admitted while open');
  expect(other.retryAfterMs).toBeLessThanOrEqual(60_000);
  expect(own.retryAfterMs).toBeGreaterThan(60_000);
});

describe('a half-open breaker that no call probes', () => {
  it('a half-open breaker is closed after a time without calls', async () => {
    const forgetful = breakerForTest(redis, { unavailableMs: 1, quietMs: 100 });
    await failOften(forgetful);
    await eventually(() => expectState(forgetful, 'closed'));
    expect(await redis.keys('*')).toEqual([]);
  });

  it('a half-open breaker with a wrong key stays half open without calls', async () => {
    const forgetful = breakerForTest(redis, { unavailableMs: 1, misconfiguredMs: 1, quietMs: 1 });
    const other = '0123456789ab:other';
    await misconfigure(forgetful);
    for (const caller of Array.from({ length: 5 }, () => runOf())) {
      const call = await forgetful.admit(other, caller);
      if (call.admitted) await forgetful.failed(other, call, unavailable);
    }
    await eventually(async () => expect((await forgetful.states([other])).get(other)?.state).toBe('closed'));
    await expectState(forgetful, 'half_open', 'misconfigured');
  });
});
