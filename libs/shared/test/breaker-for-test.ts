import { randomUUID } from 'node:crypto';
import { eventually } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { expect } from 'vitest';
import {
  defaultBreakerLimits,
  RedisCircuitBreaker,
  type Admitted,
  type BreakerLimits,
  type BreakerState,
  type Caller,
  type CircuitBreaker,
  type CallFailure,
} from '../src/models/index.js';

export const model = '0123456789ab:gemini-3.8-flash';
export const unavailable: CallFailure = { kind: 'unavailable' };

/** Waits for Redis on a busy machine too; tests of an outage set a shorter limit. */
export const breakerForTest = (redis: Redis, limits: Partial<BreakerLimits> = {}): RedisCircuitBreaker =>
  new RedisCircuitBreaker(redis, { replyWithinMs: 20_000, ...limits });

/** Another run of the tenant. */
export const runOf = (tenant = 'local'): Caller => ({ run: randomUUID(), tenant });

/** A call that the breaker admits. */
export async function admitted(breaker: CircuitBreaker, caller = runOf()): Promise<Admitted> {
  const call = await breaker.admit(model, caller);
  if (!call.admitted) throw new Error(`refused: ${call.reason}`);
  return call;
}

export const admittedAll = (breaker: CircuitBreaker, count: number, tenant?: string): Promise<Admitted[]> =>
  Promise.all(Array.from({ length: count }, () => admitted(breaker, runOf(tenant))));

/** Fails as many calls of different runs as open a breaker for their tenant. */
export async function failOften(
  breaker: CircuitBreaker,
  count = defaultBreakerLimits.unavailable.calls,
  tenant?: string,
): Promise<void> {
  for (const call of await admittedAll(breaker, count, tenant))
    await breaker.failed(model, call, unavailable);
}

/** Reports a wrong key as often as opens a breaker for its tenant. */
export async function misconfigure(breaker: CircuitBreaker, tenant?: string): Promise<void> {
  for (const call of await admittedAll(breaker, defaultBreakerLimits.misconfigured.calls, tenant)) {
    await breaker.failed(model, call, { kind: 'misconfigured' });
  }
}

export async function stateOf(breaker: CircuitBreaker): Promise<BreakerState | undefined> {
  return (await breaker.states([model])).get(model);
}

export async function expectState(breaker: CircuitBreaker, state: string, reason?: string): Promise<void> {
  const actual = await stateOf(breaker);
  expect([actual?.state, actual?.reason]).toEqual([state, reason]);
}

/** Opens the breaker for 1 ms. */
export async function halfOpen(redis: Redis): Promise<void> {
  const brief = breakerForTest(redis, { unavailableMs: 1 });
  await failOften(brief);
  await eventually(() => expectState(brief, 'half_open', 'unavailable'));
}

export async function redisNow(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
}

/** By Redis' own clock, so that the load of the machine does not matter. */
export async function expectShutFor(
  ms: number,
  redis: Redis,
  breaker: CircuitBreaker,
  act: () => Promise<void>,
): Promise<void> {
  const before = await redisNow(redis);
  await act();
  const after = await redisNow(redis);
  const retryAt = Date.parse((await stateOf(breaker))?.retry_at ?? '');
  expect(retryAt).toBeGreaterThanOrEqual(before + ms);
  expect(retryAt).toBeLessThanOrEqual(after + ms);
}
