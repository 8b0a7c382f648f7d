import { announceCapacity, type AgentCapacity } from '@quire/shared/process';
import { redisKeys } from '@quire/shared/redis';
import { eventually } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { createKey } from './api-keys-for-test.js';
import { startGateway, type GatewayUnderTest } from './gateway-under-test.js';

const started = async () => {
  const gateway = await startGateway({ auth: true, maxExpectedWaitMs: 25_000 });
  onTestFinished(() => gateway.close());
  return gateway;
};

async function playWorker({ redis }: GatewayUnderTest, capacity: AgentCapacity) {
  const sayGoodbye = announceCapacity(redis, () => capacity);
  onTestFinished(sayGoodbye);
  await eventually(async () => expect(await redis.zcard(redisKeys.agentCapacity)).toBeGreaterThan(0));
}

const asker = async (gateway: GatewayUnderTest, tenant: string) => {
  const { header } = await createKey(gateway.db, { tenant });
  return (more: Record<string, string> = {}) =>
    gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async', ...header, ...more });
};
const rowCount = async ({ db }: GatewayUnderTest) =>
  (await db.selectFrom('runs').select('id').execute()).length;

it('a question that would wait too long is refused before it is written, with the time until it would not', async () => {
  const gateway = await started();
  await playWorker(gateway, { concurrency: 1, service_ms: 10_000 });
  const ask = await asker(gateway, 'acme');
  for (let i = 0; i < 3; i += 1) expect((await ask()).status).toBe(202);
  const before = await rowCount(gateway);
  const refused = await ask();
  expect(refused.status).toBe(503);
  // Three in front take 30 s, of which 25 s may be waited for.
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.json()).toMatchObject({ error_code: 'OVERLOADED' });
  expect(await rowCount(gateway)).toBe(before);
});

it("another tenant's burst is not held against a caller", async () => {
  const gateway = await started();
  await playWorker(gateway, { concurrency: 1, service_ms: 10_000 });
  const [ask, other] = [await asker(gateway, 'acme'), await asker(gateway, 'umbrella')];
  for (let i = 0; i < 3; i += 1) await ask();
  expect((await ask()).status).toBe(503);
  expect((await other()).status).toBe(202);
});

it('a replay is let in whatever the line is', async () => {
  const gateway = await started();
  await playWorker(gateway, { concurrency: 1, service_ms: 10_000 });
  const ask = await asker(gateway, 'acme');
  expect((await ask({ 'idempotency-key': 'mine' })).status).toBe(202);
  for (let i = 0; i < 2; i += 1) await ask();
  expect((await ask()).status).toBe(503);
  expect((await ask({ 'idempotency-key': 'mine' })).status).toBe(202);
});

it('more workers shorten the wait, as soon as they are there', async () => {
  const gateway = await started();
  await playWorker(gateway, { concurrency: 1, service_ms: 10_000 });
  const ask = await asker(gateway, 'acme');
  for (let i = 0; i < 3; i += 1) await ask();
  expect((await ask()).status).toBe(503);
  await playWorker(gateway, { concurrency: 50, service_ms: 10_000 });
  await eventually(async () => expect((await ask()).status).toBe(202));
});

it('where no worker can tell, a question is let in and waits', async () => {
  const gateway = await started();
  const ask = await asker(gateway, 'acme');
  for (let i = 0; i < 8; i += 1) expect((await ask()).status).toBe(202);
});
