import { eventually, testRedisUrl } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { redisKeys } from '../redis/redis-keys.js';
import { agentCapacities, announceCapacity, type AgentCapacity } from './capacity.js';

it('workers announce their present capacity with each sign of life, until they withdraw it', async () => {
  const redis = redisForTest(await testRedisUrl());
  expect(await agentCapacities(redis)).toEqual([]);
  let mine: AgentCapacity = { concurrency: 5, service_ms: null };
  const announcements = [
    announceCapacity(redis, () => mine),
    announceCapacity(redis, () => ({ concurrency: 5, service_ms: null })),
  ];
  onTestFinished(async () => {
    for (const withdraw of announcements) await withdraw();
  });
  await eventually(async () =>
    expect(await agentCapacities(redis)).toMatchObject([
      { concurrency: 5, service_ms: null },
      { concurrency: 5, service_ms: null },
    ]),
  );
  mine = { concurrency: 5, service_ms: 1234.5 };
  await eventually(async () => {
    const said = (await agentCapacities(redis)).map(({ service_ms }) => service_ms);
    expect(said).toHaveLength(2);
    expect(said).toContain(1234.5);
  });
  await announcements[0]?.();
  expect(await agentCapacities(redis)).toMatchObject([{ service_ms: null }]);
  // A worker that was killed a while ago.
  const [left = ''] = await redis.zrange(redisKeys.agentCapacity, '0', '-1');
  await redis.zadd(redisKeys.agentCapacity, Date.now() - 11_000, left);
  expect(await agentCapacities(redis)).toEqual([]);
});
