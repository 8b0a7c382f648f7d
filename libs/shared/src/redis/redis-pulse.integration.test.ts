import { eventually, startPrivateRedis, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { awaitRedis } from './redis-connection.js';
import { RedisPulse } from './redis-pulse.js';

it('the pulse stops soon after Redis starts to hang, long before its connections are replaced', async () => {
  const proxy = await startTcpProxy(await testRedisUrl());
  onTestFinished(() => proxy.close());
  const redis = redisForTest(proxy.url, 'request');
  const pulse = new RedisPulse(redis);
  onTestFinished(() => pulse.stop());
  expect(pulse.isResponding).toBe(false);
  await awaitRedis(redis, 20_000);
  pulse.start();
  expect(pulse.isResponding).toBe(true);
  proxy.pause();
  const seen = () => ({ isResponding: pulse.isResponding, status: redis.status });
  await eventually(() => expect(seen()).toEqual({ isResponding: false, status: 'ready' }));
  await proxy.restore();
  await eventually(() => expect(pulse.isResponding).toBe(true));
});

it('the pulse goes on while Redis refuses pings, as with a failed disk: an error is a reply', async () => {
  const store = await startPrivateRedis();
  onTestFinished(() => store.cleanup());
  const [redis, beside] = [redisForTest(store.url, 'request'), redisForTest(store.url)];
  await Promise.all([awaitRedis(redis, 20_000), awaitRedis(beside, 20_000)]);
  await beside.call('ACL', 'SETUSER', 'default', '-ping');
  const pulse = new RedisPulse(redis);
  onTestFinished(() => pulse.stop());
  pulse.start();
  // More pings than it takes to notice a Redis that hangs.
  await eventually(async () => {
    const [, refused = 0] =
      /cmdstat_ping:.*rejected_calls=(\d+)/.exec(await beside.info('commandstats')) ?? [];
    expect(Number(refused)).toBeGreaterThan(6);
  });
  // Polled, because a reply may be late on a busy machine.
  await eventually(() => expect(pulse.isResponding).toBe(true));
});
