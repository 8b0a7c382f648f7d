import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { awaitRedis } from './redis-connection.js';
import { RedisPulse } from './redis-pulse.js';

it('is not felt any more soon after Redis has begun to hang, long before the connection is given up', async () => {
  const proxy = await startTcpProxy(await testRedisUrl());
  onTestFinished(() => proxy.close());
  const redis = redisForTest(proxy.url, 'request');
  const pulse = new RedisPulse(redis);
  onTestFinished(() => pulse.stop());
  expect(pulse.isFelt).toBe(false);
  await awaitRedis(redis, 20_000);
  pulse.start();
  expect(pulse.isFelt).toBe(true);
  proxy.pause();
  const seen = () => ({ isFelt: pulse.isFelt, status: redis.status });
  await eventually(() => expect(seen()).toEqual({ isFelt: false, status: 'ready' }));
  await proxy.restore();
  await eventually(() => expect(pulse.isFelt).toBe(true));
});
