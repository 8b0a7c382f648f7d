import { eventually } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { expect } from 'vitest';
import {
  defaultBreakerLimits,
  RedisCircuitBreaker,
  type Admitted,
  type BreakerLimits,
  type BreakerState,
  type CircuitBreaker,
  type ModelFailure,
} from '../src/models/index.js';

export const model = '0123456789ab:gemini-3.8-flash';
export const unavailable: ModelFailure = { kind: 'unavailable' };

/** Waits for Redis however busy the machine is: only tests of an outage want a breaker that does not. */
export const breakerForTest = (redis: Redis, limits: Partial<BreakerLimits> = {}): RedisCircuitBreaker =>
  new RedisCircuitBreaker(redis, { answerWithinMs: 20_000, ...limits });

/** A call that the breaker lets through. */
export async function admitted(breaker: CircuitBreaker): Promise<Admitted> {
  const admission = await breaker.admit(model);
  if (!admission.admitted) throw new Error(`refused: ${admission.reason}`);
  return admission;
}

export const admittedAll = (breaker: CircuitBreaker, count: number): Promise<Admitted[]> =>
  Promise.all(Array.from({ length: count }, () => admitted(breaker)));

/** As many calls as open a breaker fail. */
export async function failOften(
  breaker: CircuitBreaker,
  count = defaultBreakerLimits.failures,
): Promise<void> {
  for (const call of await admittedAll(breaker, count)) await breaker.failed(model, call, unavailable);
}

export async function stateOf(breaker: CircuitBreaker): Promise<BreakerState | undefined> {
  return (await breaker.states([model])).get(model);
}

export async function expectState(breaker: CircuitBreaker, state: string, reason?: string): Promise<void> {
  const actual = await stateOf(breaker);
  expect([actual?.state, actual?.reason]).toEqual([state, reason]);
}

/** Opens the breaker for the shortest time there is. */
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
