import { randomUUID } from 'node:crypto';
import { insertRuns, migrate, openDatabase, setAbandoned, type Database } from '@quire/shared/database';
import { createLogger } from '@quire/shared/logging';
import { connectRedis, redisKeys } from '@quire/shared/redis';
import { createTestDatabase, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { sql } from 'kysely';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { cancelAbandoned } from './cancel-abandoned.js';

const GRACE_MS = 10_000;
const logger = createLogger('test', 'silent');

let db: Database;
let redis: Redis;
/** Subscribes to runs like a gateway. */
let gateway: Redis;
beforeEach(async () => {
  const { url, drop } = await createTestDatabase();
  await migrate(url, logger);
  db = openDatabase(url, logger, 2);
  const redisUrl = await testRedisUrl();
  redis = connectRedis(redisUrl, 'worker', logger);
  gateway = connectRedis(redisUrl, 'subscriber', logger);
  onTestFinished(async () => {
    redis.disconnect();
    gateway.disconnect();
    await db.destroy();
    await drop();
  });
});

async function abandon(count: number): Promise<string[]> {
  const acceptedAt = new Date();
  const runs = Array.from({ length: count }, () => ({
    id: randomUUID(),
    tenant: 'local',
    request: { message: 'How do nodes talk?', session_id: randomUUID(), top_k: 5 },
    acceptedAt,
    deadlineAt: new Date(acceptedAt.getTime() + 60_000),
  }));
  await insertRuns(db, runs);
  for (const { id } of runs) await setAbandoned(db, id, true);
  return runs.map(({ id }) => id);
}
const follow = (runs: readonly string[]) => gateway.subscribe(...runs.map(redisKeys.runChannel));
const pass = () => cancelAbandoned({ db, redis, graceMs: GRACE_MS });
/** Lets time pass: every run was abandoned so much earlier. */
const wait = (ms: number) =>
  db
    .updateTable('runs')
    .set({ abandoned_at: sql<Date>`abandoned_at - make_interval(secs => ${ms / 1000})` })
    .execute();

it('an abandoned run whose last follower has just left has its whole grace, however long ago it was abandoned', async () => {
  const runs = await abandon(1);
  await follow(runs);
  await wait(GRACE_MS / 2);
  expect(await pass()).toEqual([]);
  await wait(GRACE_MS - 1000);
  expect(await pass()).toEqual([]);
  // The gateway of the follower stops.
  await gateway.unsubscribe();
  await wait(GRACE_MS - 1000);
  expect(await pass()).toEqual([]);
  await wait(1000);
  expect(await pass()).toEqual(runs);
});

it('an abandoned run without followers is cancelled however many abandoned runs have followers', async () => {
  await follow(await abandon(250));
  await wait(GRACE_MS);
  const left = await abandon(1);
  await wait(GRACE_MS);
  expect([...(await pass()), ...(await pass())]).toEqual(left);
});
