import { randomBytes } from 'node:crypto';
import { eventually, mountSmallDatabase } from '@quire/testkit';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGateway, type GatewayUnderTest } from './gateway-under-test.js';

const DISK_FULL = 'The database cannot store data: its disk is full';
const RAW_WORDS = /could not extend|No space left|base\/|pg_|cannot execute|trigger/i;

/** Too large for what a full disk has left over in its tables, and not to be compressed. */
const largeText = () => randomBytes(9_000).toString('hex');
const ask = ({ post }: GatewayUnderTest) =>
  post('/chat', { message: 'Hi', selected_text: largeText() }, { prefer: 'respond-async' });

async function started(databaseUrl?: string) {
  const gateway = await startGateway(databaseUrl === undefined ? {} : { databaseUrl });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** What both health routes say of Postgres, without any traffic. */
async function healthOf(gateway: GatewayUnderTest) {
  const [health, ready] = await Promise.all([gateway.get('/health'), gateway.get('/health/ready')]);
  const bodies = (await Promise.all([health.json(), ready.json()])) as {
    dependencies: { postgres: { status: string; problem?: string } };
  }[];
  const [ofHealth, ofReady] = bodies.map(({ dependencies: { postgres } }) => postgres);
  return { statuses: [health.status, ready.status], ofHealth, ofReady, text: JSON.stringify(bodies) };
}

async function expectUnwritable(gateway: GatewayUnderTest, problem: string): Promise<void> {
  await eventually(async () => {
    const { statuses, ofHealth, ofReady, text } = await healthOf(gateway);
    expect(statuses).toEqual([503, 503]);
    for (const postgres of [ofHealth, ofReady]) expect(postgres).toMatchObject({ status: 'down', problem });
    expect(text).not.toMatch(RAW_WORDS);
  });
}

async function expectRefusal(gateway: GatewayUnderTest, message: string, retryAfter: string): Promise<void> {
  const refused = await ask(gateway);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe(retryAfter);
  expect(await refused.json()).toEqual({
    error_code: 'STORAGE_UNAVAILABLE',
    message,
    request_id: refused.headers.get('x-request-id'),
  });
}

async function expectRecovered(gateway: GatewayUnderTest): Promise<void> {
  await eventually(async () => expect((await healthOf(gateway)).ofReady).toMatchObject({ status: 'up' }));
  expect((await ask(gateway)).status).toBe(202);
}

describe('a Postgres that refuses writes', () => {
  it('a Postgres that refuses an insert is down in health at once, and up again without traffic', async () => {
    const gateway = await started();
    expect((await healthOf(gateway)).ofReady).toMatchObject({ status: 'up' });
    await sql`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS ${sql.lit(
        `BEGIN RAISE EXCEPTION 'could not extend file "base/1/2"' USING ERRCODE = '53100'; END`,
      )}`.execute(gateway.db);
    await sql`CREATE TRIGGER refuse BEFORE INSERT ON runs EXECUTE FUNCTION refuse()`.execute(gateway.db);
    await expectRefusal(gateway, DISK_FULL, '30');
    const { statuses, ofHealth, ofReady, text } = await healthOf(gateway);
    expect(statuses).toEqual([503, 503]);
    for (const postgres of [ofHealth, ofReady]) {
      expect(postgres).toMatchObject({ status: 'down', problem: DISK_FULL });
    }
    expect(text).not.toMatch(RAW_WORDS);
    await sql`DROP TRIGGER refuse ON runs`.execute(gateway.db);
    await expectRecovered(gateway);
  });

  it('a read-only Postgres is down in health without traffic, and refused questions name the cause', async () => {
    const gateway = await started();
    const message = 'The database refuses writes: it is read-only';
    const setReadOnly = async (value: 'on' | 'off') => {
      await sql`DO ${sql.lit(
        `BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database()); END`,
      )}`.execute(gateway.db);
      // Sessions keep the setting that they began with.
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(gateway.db);
    };
    await setReadOnly('on');
    await expectUnwritable(gateway, message);
    await expectRefusal(gateway, message, '5');
    await sql`SET default_transaction_read_only = off`.execute(gateway.db);
    await setReadOnly('off');
    await expectRecovered(gateway);
  });

  it('a Postgres with a full disk is down in health without traffic, refused questions name the cause, and it is up again with free space', async (context) => {
    const small = await mountSmallDatabase();
    if (!small) return context.skip('Needs a Postgres of this machine and the right to mount a small disk');
    onTestFinished(() => small.remove());
    const gateway = await started(small.url);
    expect((await healthOf(gateway)).ofReady).toMatchObject({ status: 'up' });
    await small.fill();
    await expectUnwritable(gateway, DISK_FULL);
    await expectRefusal(gateway, DISK_FULL, '30');
    await small.makeRoom();
    await expectRecovered(gateway);
  });
});
