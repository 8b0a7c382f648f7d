import { startPrivateRedis, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { awaitRedis } from '../redis/index.js';
import { classifyError } from './classify-error.js';

const READY_LIMIT_MS = 20_000;

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: unknown) => classifyError(error).code,
  );
}

async function connected() {
  const proxy = await startTcpProxy(await testRedisUrl());
  onTestFinished(() => proxy.close());
  const redis = redisForTest(proxy.url, 'request');
  await awaitRedis(redis, READY_LIMIT_MS);
  return { proxy, redis };
}

it('a Redis connection that breaks during a command is QUEUE_UNAVAILABLE', async () => {
  const { proxy, redis } = await connected();
  proxy.pause();
  const broken = codeOf(redis.get('key'));
  await proxy.cut();
  expect(await broken).toBe('QUEUE_UNAVAILABLE');
});

it('a command sent while Redis is away is QUEUE_UNAVAILABLE', async () => {
  const { proxy, redis } = await connected();
  await proxy.cut();
  expect(await codeOf(redis.get('key'))).toBe('QUEUE_UNAVAILABLE');
});

it('a Redis that hangs is QUEUE_UNAVAILABLE', async () => {
  const { proxy, redis } = await connected();
  proxy.pause();
  expect(await codeOf(redis.get('key'))).toBe('QUEUE_UNAVAILABLE');
});

it('a pipeline that is cut off half-way is QUEUE_UNAVAILABLE', async () => {
  const redis = redisForTest(await testRedisUrl(), 'worker');
  const self = await redis.client('ID');
  const cutShort = redis.pipeline().get('key').call('CLIENT', 'KILL', 'ID', self, 'SKIPME', 'no').get('key');
  const [, , unanswered] = (await cutShort.exec()) ?? [];
  expect(classifyError(unanswered?.[0]).code).toBe('QUEUE_UNAVAILABLE');
});

it('a command after disconnect() is QUEUE_UNAVAILABLE', async () => {
  const { redis } = await connected();
  redis.disconnect();
  expect(await codeOf(redis.get('key'))).toBe('QUEUE_UNAVAILABLE');
});

it.each([
  ['is out of memory', ['CONFIG', 'SET', 'maxmemory', '1']],
  ['has become a replica', ['REPLICAOF', '127.0.0.1', '1']],
  ['misses its replicas', ['CONFIG', 'SET', 'min-replicas-to-write', '1']],
])('a write to a Redis that %s is QUEUE_UNAVAILABLE', async (_, [command = '', ...args]) => {
  const store = await startPrivateRedis();
  onTestFinished(() => store.cleanup());
  const redis = redisForTest(store.url, 'worker');
  await redis.call(command, ...args);
  expect(await codeOf(redis.set('key', 'value'))).toBe('QUEUE_UNAVAILABLE');
  expect(await codeOf(redis.eval("return redis.call('SET', KEYS[1], 'x')", 1, 'key'))).toBe(
    'QUEUE_UNAVAILABLE',
  );
});
