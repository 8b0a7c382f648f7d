import { Writable } from 'node:stream';
import { eventually, startTcpProxy, testRedisUrl, type TcpProxy } from '@quire/testkit';
import { pino } from 'pino';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { awaitRedis, connectRedis, type RedisRole } from './redis-connection.js';

const READY_LIMIT_MS = 20_000;

let proxy: TcpProxy;

beforeEach(async () => {
  proxy = await startTcpProxy(await testRedisUrl());
  onTestFinished(() => proxy.close());
});

/** A logger whose messages can be seen. */
function capturingLogger() {
  const messages: string[] = [];
  const stream = new Writable({
    write(line: Buffer, _, done) {
      messages.push((JSON.parse(line.toString()) as { msg: string }).msg);
      done();
    },
  });
  return { messages, logger: pino(stream) };
}

describe('while Redis is away', () => {
  it('a command of a request fails at once, one of a worker waits until Redis is back', async () => {
    const [request, worker] = [redisForTest(proxy.url, 'request'), redisForTest(proxy.url, 'worker')];
    await Promise.all([awaitRedis(request, READY_LIMIT_MS), awaitRedis(worker, READY_LIMIT_MS)]);
    await proxy.cut();
    const waiting = worker.set('key', 'value');
    await expect(request.get('key')).rejects.toThrow();
    await proxy.restore();
    expect(await waiting).toBe('OK');
    expect(await eventually(() => request.get('key'))).toBe('value');
  });

  it.each<RedisRole>(['request', 'worker', 'subscriber'])(
    'that is logged once, and so is its end: %s',
    async (role) => {
      const { messages, logger } = capturingLogger();
      const redis = connectRedis(proxy.url, role, logger);
      onTestFinished(() => redis.disconnect());
      await awaitRedis(redis, READY_LIMIT_MS);
      let reconnects = 0;
      redis.on('reconnecting', () => {
        reconnects += 1;
      });
      await proxy.cut();
      await eventually(() => expect(reconnects).toBeGreaterThan(2));
      await proxy.restore();
      await eventually(() =>
        expect(messages).toEqual(['Redis is not reachable', 'Redis is reachable again']),
      );
    },
  );
});

describe('waiting for Redis at the start', () => {
  it('ends when it is there', async () => {
    await proxy.cut();
    const redis = redisForTest(proxy.url);
    const ready = awaitRedis(redis, READY_LIMIT_MS);
    await proxy.restore();
    await ready;
    expect(await redis.ping()).toBe('PONG');
    await awaitRedis(redis, 1);
  });

  it('ends with an error when it does not come', async () => {
    await proxy.cut();
    await expect(awaitRedis(redisForTest(proxy.url), 50)).rejects.toThrow(
      'Redis did not answer within 50 ms',
    );
  });
});
