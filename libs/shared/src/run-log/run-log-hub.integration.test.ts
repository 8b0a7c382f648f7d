import { randomUUID } from 'node:crypto';
import { eventually, startPrivateRedis, testRedisUrl } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { collect, gatewayForTest, nextEntry } from '../../test/followers.js';
import { redisForTest } from '../../test/open-for-test.js';
import { completedEvent, statusEvent } from '../../test/run-events.js';
import { redisKeys } from '../redis/index.js';
import { RunLog } from './run-log.js';

it('a hub serves 200 followers of 200 runs over one connection', async () => {
  const store = await startPrivateRedis();
  onTestFinished(() => store.cleanup());
  const redis = redisForTest(store.url);
  const log = new RunLog(redis);
  const { follow, hub } = await gatewayForTest(store.url);
  const clients = async () =>
    String(await redis.client('LIST'))
      .trim()
      .split('\n').length;
  const before = await clients();
  const runs = Array.from({ length: 200 }, () => randomUUID());
  const following = runs.map((id) => collect(follow(id)));
  await eventually(() => expect(hub.channelCount).toBe(200));
  await Promise.all(runs.map((id) => log.append(id, 1, [statusEvent(id)])));
  expect(await clients()).toBe(before);
  await Promise.all(runs.map((id) => log.append(id, 1, [completedEvent(id)])));
  for (const entries of await Promise.all(following)) expect(entries).toHaveLength(2);
  expect(hub.channelCount).toBe(0);
});

it('a hub ends the subscription of a run when its last follower ends, for whatever reason', async () => {
  const url = await testRedisUrl();
  const redis = redisForTest(url);
  const log = new RunLog(redis);
  const { follow, hub } = await gatewayForTest(url);
  const runId = randomUUID();
  const expectSubscriptions = (count: number) =>
    eventually(async () => {
      expect(await redis.pubsub('NUMSUB', redisKeys.runChannel(runId))).toEqual([expect.any(String), count]);
      expect(hub.channelCount).toBe(count);
    });
  await log.append(runId, 1, [statusEvent(runId)]);
  const aborting = new AbortController();
  const [byBreak, byAbort, byEnd] = [
    follow(runId),
    follow(runId, { signal: aborting.signal }),
    follow(runId),
  ];
  await Promise.all([byBreak, byAbort, byEnd].map((following) => nextEntry(following)));
  await expectSubscriptions(1);

  await byBreak.return();
  const aborted = byAbort.next();
  aborting.abort();
  await aborted;
  const last = collect(byEnd);
  await expectSubscriptions(1);

  await log.append(runId, 1, [completedEvent(runId)]);
  expect(await last).toHaveLength(1);
  await expectSubscriptions(0);
});

it('a follower that ends and starts again at once gets the events of its run', async () => {
  const url = await testRedisUrl();
  const log = new RunLog(redisForTest(url));
  const { follow } = await gatewayForTest(url);
  const runId = randomUUID();
  await log.append(runId, 1, [statusEvent(runId)]);
  for (let round = 0; round < 50; round += 1) {
    const following = follow(runId);
    await nextEntry(following);
    await following.return();
  }
  const following = follow(runId);
  await nextEntry(following);
  const last = collect(following);
  await log.append(runId, 1, [completedEvent(runId)]);
  expect(await last).toHaveLength(1);
});

it('subscriptions that ended while Redis was down are not restored', async () => {
  const store = await startPrivateRedis();
  onTestFinished(() => store.cleanup());
  const { follow, hub } = await gatewayForTest(store.url);
  const redis = redisForTest(store.url);
  const runs = [randomUUID(), randomUUID()] as const;
  const log = new RunLog(redis);
  await Promise.all(runs.map((id) => log.append(id, 1, [statusEvent(id)])));
  const following = runs.map((id) => follow(id));
  await Promise.all(following.map((each) => nextEntry(each)));
  await store.kill();
  await following[0]?.return();
  expect(hub.channelCount).toBe(1);
  await store.restart();
  await eventually(async () =>
    expect(await redis.pubsub('CHANNELS', '*')).toEqual([redisKeys.runChannel(runs[1])]),
  );
});
