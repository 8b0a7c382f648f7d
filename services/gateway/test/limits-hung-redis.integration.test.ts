import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { eventually, startTcpProxy } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { createKey } from './api-keys-for-test.js';
import { startGateway, type GatewayOptions } from './gateway-under-test.js';

/** How long a command of a gateway waits for a Redis that hangs. */
const COMMAND_LIMIT_MS = 3000;
const ASYNC = { prefer: 'respond-async' };

/** Gateways with and without keys, on one Redis that can be made to hang. */
async function twoGateways() {
  const first = await startGateway();
  const proxy = await startTcpProxy(first.redisUrl);
  const start = async (options: GatewayOptions) => {
    const gateway = await startGateway({ redisUrl: proxy.url, databaseUrl: first.databaseUrl, ...options });
    onTestFinished(() => gateway.close());
    return gateway;
  };
  onTestFinished(async () => {
    await proxy.close();
    await first.close();
  });
  const [keyed, keyless] = [await start({ auth: true }), await start({})];
  onTestFinished(() => proxy.restore());
  return { db: first.db, proxy, keyed, keyless };
}

it('when Redis begins to hang after the permit was taken, its refund does not delay the refusal', async () => {
  const { db, proxy, keyed, keyless } = await twoGateways();
  const { header } = await createKey(db);
  const ask = async (gateway: typeof keyed, headers: Record<string, string>) => {
    const response = await gateway.post('/chat', { message: randomUUID() }, { ...ASYNC, ...headers });
    return { status: response.status, at: performance.now() };
  };
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE 'insert into "runs"%'`.execute(
      db,
    );
    expect(rows[0]?.count).toBe(2);
  };
  // Both have their permits and wait for Postgres when Redis begins to hang.
  const { refusals } = await db.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE runs IN SHARE MODE`.execute(transaction);
    const both = Promise.all([ask(keyed, header), ask(keyless, {})]);
    await eventually(waiting);
    proxy.pause();
    return { refusals: both };
  });
  const [withKey, without] = await refusals;
  expect([withKey.status, without.status]).toEqual([503, 503]);
  expect(withKey.at - without.at).toBeLessThan(COMMAND_LIMIT_MS / 2);
});

it('a gateway that holds slots stops without waiting for a Redis that hangs', async () => {
  const { db, proxy, keyed, keyless } = await twoGateways();
  const { header } = await createKey(db);
  expect((await keyed.post('/chat', { message: 'Hi' }, { ...ASYNC, ...header })).status).toBe(202);
  proxy.pause();
  const stopped = async (gateway: typeof keyed) => {
    await gateway.stopService();
    return performance.now();
  };
  const [withSlots, without] = await Promise.all([stopped(keyed), stopped(keyless)]);
  expect(withSlots - without).toBeLessThan(COMMAND_LIMIT_MS / 2);
});
