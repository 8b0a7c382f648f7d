import { hostname } from 'node:os';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { awaitRedis, redisKeys } from '../redis/index.js';
import { announcePresence, countWorkers, isPresentHere } from './presence.js';

const key = redisKeys.presence('agent-worker');
const self = `${hostname()}:${process.pid}`;

let url: string;
let redis: Redis;

beforeEach(async () => {
  url = await testRedisUrl();
  redis = redisForTest(url);
});

function announceForTest(connection = redis): () => Promise<void> {
  const withdraw = announcePresence(connection, 'agent-worker');
  onTestFinished(withdraw);
  return withdraw;
}

const expectWorkers = (count: number) =>
  eventually(async () => expect(await countWorkers(redis, 'agent-worker')).toBe(count));

it('a worker is counted among its kind from its announcement until it withdraws', async () => {
  expect(await countWorkers(redis, 'agent-worker')).toBe(0);
  const withdraw = announceForTest();
  await expectWorkers(1);
  expect(await countWorkers(redis, 'retrieval-worker')).toBe(0);
  await withdraw();
  expect(await countWorkers(redis, 'agent-worker')).toBe(0);
  await withdraw();
});

it('all live workers are counted', async () => {
  announceForTest();
  await redis.zadd(key, Date.now(), 'other-host:1');
  await redis.zadd(key, Date.now() - 5000, 'other-host:2');
  await expectWorkers(3);
});

it('a worker without a sign of life for 10 s is not counted', async () => {
  announceForTest();
  await expectWorkers(1);
  await redis.zadd(key, Date.now() - 10_001, self);
  expect(await countWorkers(redis, 'agent-worker')).toBe(0);
  expect(await isPresentHere(redis, 'agent-worker')).toBe(false);
});

it('a worker renews its presence', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  announceForTest();
  await expectWorkers(1);
  for (let beat = 0; beat < 3; beat += 1) {
    await redis.zadd(key, Date.now() - 60_000, self);
    vi.advanceTimersByTime(3000);
    await expectWorkers(1);
  }
});

it.each([-60_000, 60_000])(
  'a worker whose clock is off by %d ms is counted, and counts the others',
  async (ms) => {
    const realNow = Date.now.bind(Date);
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + ms);
    onTestFinished(() => clock.mockRestore());
    await redis.zadd(key, realNow() - 1000, 'other-host:1');
    announceForTest();
    await eventually(async () => expect(await redis.zcard(key)).toBe(2));
    await expectWorkers(2);
    clock.mockRestore();
    await expectWorkers(2);
  },
);

it('a sign of life removes crashed workers', async () => {
  await redis.zadd(key, Date.now() - 10_001, 'crashed:1');
  await redis.zadd(key, Date.now() - 5000, 'slow:1');
  announceForTest();
  await eventually(async () => expect(await redis.zrange(key, '0', '-1')).toEqual(['slow:1', self]));
});

const announceThroughProxy = async () => {
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  const connection = redisForTest(proxy.url);
  await awaitRedis(connection, 20_000);
  const withdraw = announceForTest(connection);
  await expectWorkers(1);
  return { proxy, connection, withdraw };
};

it('a worker withdraws without waiting for a Redis that is away', async () => {
  const { proxy, connection, withdraw } = await announceThroughProxy();
  await proxy.cut();
  await eventually(() => expect(connection.status).not.toBe('ready'));
  await withdraw();
  expect(await countWorkers(redis, 'agent-worker')).toBe(1);
});

it('a worker withdraws without waiting for a Redis that hangs', async () => {
  const { proxy, connection, withdraw } = await announceThroughProxy();
  proxy.pause();
  await withdraw();
  // The hanging connection has not been closed yet.
  expect(connection.status).toBe('ready');
});

it('isPresentHere is true only with a live worker on this host', async () => {
  await redis.zadd(key, Date.now(), `${hostname()}0:1`);
  await redis.zadd(key, Date.now(), 'other-host:1');
  expect(await isPresentHere(redis, 'agent-worker')).toBe(false);
  announceForTest();
  await eventually(async () => expect(await isPresentHere(redis, 'agent-worker')).toBe(true));
  expect(await isPresentHere(redis, 'retrieval-worker')).toBe(false);
});
