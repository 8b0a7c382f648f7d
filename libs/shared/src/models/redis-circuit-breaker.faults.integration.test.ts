import { eventually, startTcpProxy, testRedisUrl, type TcpProxy } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  admitted,
  breakerForTest,
  expectState,
  failOften,
  halfOpen,
  model,
  runOf,
  unavailable,
} from '../../test/breaker-for-test.js';
import { redisForTest } from '../../test/open-for-test.js';
import { replyLosingProxyForTest } from '../../test/reply-losing-proxy.js';
import { awaitRedis, redisKeys } from '../redis/index.js';
import type { Admitted } from './circuit-breaker.js';
import { RedisCircuitBreaker } from './redis-circuit-breaker.js';

const caller = runOf();
const failsOpen: Admitted = { admitted: true, probe: false, ticket: '', caller };

let url: string;
let proxy: TcpProxy;
/** With the role `worker`: its commands wait for Redis without a limit, unless the breaker has one. */
let connection: Redis;
let breaker: RedisCircuitBreaker;
/** Connected to Redis without the proxy. */
let redis: Redis;
let witness: RedisCircuitBreaker;

beforeEach(async () => {
  url = await testRedisUrl();
  proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  connection = redisForTest(proxy.url);
  redis = redisForTest(url);
  await Promise.all([awaitRedis(connection, 20_000), awaitRedis(redis, 20_000)]);
  [breaker, witness] = [new RedisCircuitBreaker(connection), breakerForTest(redis)];
});

const reportAll = async () => {
  await breaker.succeeded(model, failsOpen);
  await breaker.failed(model, failsOpen, { kind: 'misconfigured' });
  await breaker.abandoned(model, { admitted: true, probe: true, ticket: 'some', caller });
};

describe('Redis fails', () => {
  it('while Redis is down every call is admitted and no report rejects', async () => {
    await failOften(witness);
    await proxy.cut();
    await eventually(() => expect(connection.status).not.toBe('ready'));
    expect(await breaker.admit(model, caller)).toEqual(failsOpen);
    await reportAll();
    await expect(breaker.states([model])).rejects.toThrow('Redis is not reachable');
    await proxy.restore();
    await eventually(() => expectState(breaker, 'open', 'unavailable'));
  });

  it('while Redis does not reply every call is admitted and no report rejects', async () => {
    await failOften(witness);
    proxy.pause();
    expect(await breaker.admit(model, caller)).toEqual(failsOpen);
    await reportAll();
    await proxy.restore();
    // The connection may have been replaced meanwhile.
    await eventually(() => expectState(breaker, 'open', 'unavailable'));
  });

  it('while Redis replies with an error every call is admitted and no report rejects', async () => {
    await redis.lpush(redisKeys.modelBreaker(model), 'not ours');
    expect(await breaker.admit(model, caller)).toEqual(failsOpen);
    await reportAll();
  });
});

it('a call without a ticket does not count as a failure', async () => {
  for (let i = 0; i < 5; i += 1) await breaker.failed(model, failsOpen, unavailable);
  await expectState(witness, 'closed');
});

it('a probe that is admitted after the time limit is abandoned', async () => {
  await halfOpen(redis);
  proxy.pause();
  expect(await breaker.admit(model, caller)).toEqual(failsOpen);
  await proxy.restore();
  // Replies arrive in order: the late one has arrived by now.
  await connection.ping();
  expect(await eventually(() => admitted(witness))).toMatchObject({ probe: true });
});

it('a probe whose reply was lost is the same one when the client repeats the command', async () => {
  await halfOpen(redis);
  const lossy = await replyLosingProxyForTest(url);
  const worker = redisForTest(lossy.url);
  await awaitRedis(worker, 20_000);
  lossy.loseNextReply();
  const probe = await admitted(breakerForTest(worker));
  expect(lossy.lost).toBe(1);
  await witness.succeeded(model, probe);
  await expectState(witness, 'closed');
});
