import { startPrivateRedis, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
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

describe('what Redis and its client really throw means QUEUE_UNAVAILABLE', () => {
  async function connected() {
    const proxy = await startTcpProxy(await testRedisUrl());
    onTestFinished(() => proxy.close());
    const redis = redisForTest(proxy.url, 'request');
    await awaitRedis(redis, READY_LIMIT_MS);
    return { proxy, redis };
  }

  it('when the connection breaks under a command', async () => {
    const { proxy, redis } = await connected();
    proxy.pause();
    const broken = codeOf(redis.get('key'));
    await proxy.cut();
    expect(await broken).toBe('QUEUE_UNAVAILABLE');
  });

  it('when a command is sent while Redis is away', async () => {
    const { proxy, redis } = await connected();
    await proxy.cut();
    expect(await codeOf(redis.get('key'))).toBe('QUEUE_UNAVAILABLE');
  });

  it('when Redis hangs', async () => {
    const { proxy, redis } = await connected();
    proxy.pause();
    expect(await codeOf(redis.get('key'))).toBe('QUEUE_UNAVAILABLE');
  });

  it('when half of a pipeline was answered', async () => {
    const redis = redisForTest(await testRedisUrl(), 'worker');
    const self = await redis.client('ID');
    const cutShort = redis
      .pipeline()
      .get('key')
      .call('CLIENT', 'KILL', 'ID', self, 'SKIPME', 'no')
      .get('key');
    const [, , unanswered] = (await cutShort.exec()) ?? [];
    expect(classifyError(unanswered?.[0]).code).toBe('QUEUE_UNAVAILABLE');
  });

  it('when the process disconnects', async () => {
    const { redis } = await connected();
    redis.disconnect();
    expect(await codeOf(redis.get('key'))).toBe('QUEUE_UNAVAILABLE');
  });

  it.each([
    ['is out of memory', ['CONFIG', 'SET', 'maxmemory', '1']],
    ['has become a replica', ['REPLICAOF', '127.0.0.1', '1']],
    ['misses its replicas', ['CONFIG', 'SET', 'min-replicas-to-write', '1']],
  ])('when Redis %s', async (_, [command = '', ...args]) => {
    const store = await startPrivateRedis();
    onTestFinished(() => store.cleanup());
    const redis = redisForTest(store.url, 'worker');
    await redis.call(command, ...args);
    expect(await codeOf(redis.set('key', 'value'))).toBe('QUEUE_UNAVAILABLE');
    expect(await codeOf(redis.eval("return redis.call('SET', KEYS[1], 'x')", 1, 'key'))).toBe(
      'QUEUE_UNAVAILABLE',
    );
  });
});
