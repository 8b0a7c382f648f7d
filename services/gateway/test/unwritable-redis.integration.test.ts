import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findRun } from '@quire/shared/database';
import { eventually, startPrivateRedis } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createKey } from './api-keys-for-test.js';
import { startGateway, type GatewayUnderTest } from './gateway-under-test.js';

const RAW_WORDS = /MISCONF|OOM|READONLY|NOREPLICAS|RDB|maxmemory|replicas to write/;

let database: GatewayUnderTest;
beforeAll(async () => {
  database = await startGateway();
});
afterAll(() => database.close());

async function started() {
  const store = await startPrivateRedis();
  const { databaseUrl } = database;
  const keyless = await startGateway({ redisUrl: store.url, databaseUrl });
  const keyed = await startGateway({ redisUrl: store.url, databaseUrl, auth: true });
  onTestFinished(async () => {
    await keyless.close();
    await keyed.close();
    await store.cleanup();
  });
  const { header } = await createKey(database.db);
  const ask = (gateway: GatewayUnderTest) =>
    gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async', ...(gateway === keyed && header) });
  return { gateways: [keyless, keyed], redis: keyless.redis, ask };
}

async function statusOf(gateway: GatewayUnderTest) {
  const [health, ready] = await Promise.all([gateway.get('/health'), gateway.get('/health/ready')]);
  const text = await health.text();
  const { dependencies } = (await ready.json()) as {
    dependencies: { redis: { status: string; problem?: string } };
  };
  return { statuses: [health.status, ready.status], redis: dependencies.redis, text };
}

/** Its snapshots fail from now on: a folder that is not empty stands where they are to be. */
async function blockSnapshots(redis: Redis): Promise<void> {
  const [, folder = ''] = await redis.config('GET', 'dir');
  const [, file = ''] = await redis.config('GET', 'dbfilename');
  await mkdir(join(folder, file, 'in the way'), { recursive: true });
  await redis.config('SET', 'stop-writes-on-bgsave-error', 'yes');
  await redis.config('SET', 'save', '3600 1');
  await redis.bgsave();
  await eventually(async () =>
    expect(await redis.info('persistence')).toContain('rdb_last_bgsave_status:err'),
  );
}

type Change = (redis: Redis) => Promise<unknown>;

it.each<[how: string, message: string, retryAfter: string, goWrong: Change, comeRight: Change]>([
  [
    'its memory is full',
    'The queue cannot store data: its memory is full',
    '30',
    (redis) => redis.config('SET', 'maxmemory', '1'),
    (redis) => redis.config('SET', 'maxmemory', '0'),
  ],
  [
    'it cannot save to its disk',
    'The queue cannot store data: its disk refuses writes',
    '30',
    blockSnapshots,
    (redis) => redis.config('SET', 'stop-writes-on-bgsave-error', 'no'),
  ],
  [
    'it misses its replicas',
    'The queue refuses writes: it has too few replicas',
    '5',
    (redis) => redis.config('SET', 'min-replicas-to-write', '1'),
    (redis) => redis.config('SET', 'min-replicas-to-write', '0'),
  ],
])(
  'a Redis that refuses writes because %s is down in health without traffic, and refused questions name the cause',
  async (_how, message, retryAfter, goWrong, comeRight) => {
    const { gateways, redis, ask } = await started();
    await goWrong(redis);
    for (const gateway of gateways) {
      await eventually(async () => {
        const { statuses, redis: said, text } = await statusOf(gateway);
        expect(statuses).toEqual([503, 503]);
        expect(said).toMatchObject({ status: 'down', problem: message });
        expect(text).not.toMatch(RAW_WORDS);
      });
      const refused = await ask(gateway);
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe(retryAfter);
      expect(await refused.json()).toMatchObject({ error_code: 'QUEUE_UNAVAILABLE', message });
    }
    // Without a key the refusal comes after the run's row, whose end says the same as the refusal did.
    const [keyless] = gateways as [GatewayUnderTest];
    const refused = await ask(keyless);
    const runId = refused.headers.get('x-request-id') ?? '';
    await eventually(async () =>
      expect(await findRun(database.db, runId)).toMatchObject({
        outcome: {
          type: 'failed',
          data: { message, retry_after: Number(refused.headers.get('retry-after')) },
        },
      }),
    );
    await comeRight(redis);
    for (const gateway of gateways) {
      await eventually(async () => expect((await statusOf(gateway)).redis).toMatchObject({ status: 'up' }));
      expect((await ask(gateway)).status).toBe(202);
    }
  },
);

it('a Redis that has become a replica is down in health with the cause that it is read-only', async () => {
  const { gateways, redis } = await started();
  const [gateway] = gateways as [GatewayUnderTest];
  await redis.call('REPLICAOF', '127.0.0.1', '1');
  await eventually(async () => {
    const { statuses, redis: said } = await statusOf(gateway);
    expect(statuses).toEqual([503, 503]);
    expect(said).toMatchObject({ status: 'down', problem: 'The queue refuses writes: it is read-only' });
  });
  await redis.call('REPLICAOF', 'NO', 'ONE');
  await eventually(async () => expect((await statusOf(gateway)).redis).toMatchObject({ status: 'up' }));
});
