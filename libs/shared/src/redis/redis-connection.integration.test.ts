import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { eventually, startPrivateRedis, startTcpProxy, testRedisUrl, type TcpProxy } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { workerForTest } from '../../test/workers.js';
import { openQueue } from '../jobs/index.js';
import { awaitRedis, connectRedis, type RedisRole } from './redis-connection.js';

const READY_LIMIT_MS = 20_000;
/** BullMQ blocks a connection for at most this long. */
const LONGEST_BLOCK_SECONDS = 10;

let url: string;
let proxy: TcpProxy;

beforeEach(async () => {
  url = await testRedisUrl();
  proxy = await startTcpProxy(url);
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

describe('Redis is down', () => {
  it('while Redis is down a command of a request fails at once, one of a worker waits', async () => {
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

describe('silent connections', () => {
  it('a connection that the network dropped silently is replaced, even if it only listens', async () => {
    const [request, worker, subscriber] = (['request', 'worker', 'subscriber'] as const).map((role) =>
      redisForTest(proxy.url, role),
    ) as [Redis, Redis, Redis];
    const heard: string[] = [];
    subscriber.on('message', (_, message: string) => heard.push(message));
    await subscriber.subscribe('news');
    await Promise.all([request, worker].map((redis) => awaitRedis(redis, READY_LIMIT_MS)));
    const publisher = redisForTest(url);
    proxy.strand();
    await Promise.all([
      eventually(async () => expect(await request.ping()).toBe('PONG')),
      worker.ping(),
      eventually(async () => {
        await publisher.publish('news', 'again');
        expect(heard).toContain('again');
      }),
    ]);
  });

  it('a connection that the network dropped silently before it was ready is replaced', async () => {
    proxy.pause();
    const redis = redisForTest(proxy.url);
    await once(redis, 'connect');
    proxy.strand();
    await proxy.restore();
    await eventually(async () => expect(await redis.ping()).toBe('PONG'));
  });

  it('a connection that the network dropped silently is replaced where a worker waits for jobs', async () => {
    const queue = openQueue('chat', redisForTest(url));
    const done: string[] = [];
    workerForTest(proxy.url, 'chat', ({ run_id }) => {
      done.push(run_id);
      return Promise.resolve({ outcome: 'completed' });
    });
    const ask = async () => {
      const run_id = randomUUID();
      await queue.add(run_id, { run_id, deadline_at: Date.now() + 60_000 });
      await eventually(() => expect(done).toContain(run_id));
    };
    await ask();
    proxy.strand();
    await ask();
    await ask();
  });
});

describe('failover', () => {
  /** The servers before and after it, behind one address. */
  async function servers() {
    const [before, after] = await Promise.all([startPrivateRedis(), startPrivateRedis()]);
    const router = await startTcpProxy(before.url);
    onTestFinished(async () => {
      await router.close();
      await Promise.all([before.cleanup(), after.cleanup()]);
    });
    const newPrimary = redisForTest(after.url);
    // Servers of one address have one password.
    await newPrimary.config('SET', 'requirepass', new URL(before.url).password);
    const failOver = async () => {
      router.redirect(after.url);
      await redisForTest(before.url).replicaof('127.0.0.1', after.port);
    };
    return { address: router.url, newPrimary, failOver };
  }
  const script = "return redis.call('SET', KEYS[1], ARGV[1])";
  const pipeline = async (redis: Redis) => {
    const replies = (await redis.pipeline().ping().set('key', 'new').exec()) ?? [];
    for (const [error] of replies) if (error) throw error;
  };

  it.each<[string, (redis: Redis) => Promise<unknown>]>([
    ['command', (redis) => redis.set('key', 'new')],
    ['script', (redis) => redis.eval(script, 1, 'key', 'new')],
    ['pipeline', pipeline],
  ])(
    'after a failover that leaves connections open, a %s fails once and a later one reaches the new primary',
    async (_, write) => {
      const { address, newPrimary, failOver } = await servers();
      const redis = redisForTest(address, 'request');
      await awaitRedis(redis, READY_LIMIT_MS);
      await failOver();
      await expect(write(redis)).rejects.toThrow('READONLY');
      await eventually(() => write(redis));
      expect(await newPrimary.get('key')).toBe('new');
    },
  );

  it('a worker gets new jobs after a failover that leaves connections open', async () => {
    const { address, newPrimary, failOver } = await servers();
    const done: string[] = [];
    workerForTest(address, 'chat', ({ run_id }) => {
      done.push(run_id);
      return Promise.resolve({ outcome: 'completed' });
    });
    const ask = async (on: Redis) => {
      const run_id = randomUUID();
      await openQueue('chat', on).add(run_id, { run_id, deadline_at: Date.now() + 60_000 });
      await eventually(() => expect(done).toContain(run_id));
    };
    await ask(redisForTest(address));
    await failOver();
    await ask(newPrimary);
    await ask(newPrimary);
  });
});

describe('idle connections', () => {
  it('an idle connection is kept', async () => {
    const closed: string[] = [];
    for (const role of ['request', 'worker', 'subscriber'] as const) {
      const redis = redisForTest(proxy.url, role);
      await awaitRedis(redis, READY_LIMIT_MS);
      redis.on('close', () => closed.push(role));
    }
    // BullMQ makes its blocking connection in this way.
    const blocking = redisForTest(proxy.url, 'worker').duplicate();
    onTestFinished(() => blocking.disconnect());
    blocking.on('close', () => closed.push('blocking'));
    expect(await blocking.bzpopmin('nothing', LONGEST_BLOCK_SECONDS)).toBeNull();
    expect(closed).toEqual([]);
  });
});

describe('start', () => {
  it('waiting for Redis at the start ends when it is ready', async () => {
    await proxy.cut();
    const redis = redisForTest(proxy.url);
    const ready = awaitRedis(redis, READY_LIMIT_MS);
    await proxy.restore();
    await ready;
    expect(await redis.ping()).toBe('PONG');
    await awaitRedis(redis, 1);
  });

  it('waiting for Redis at the start fails at the time limit', async () => {
    await proxy.cut();
    await expect(awaitRedis(redisForTest(proxy.url), 50)).rejects.toThrow('Redis did not reply within 50 ms');
  });
});
