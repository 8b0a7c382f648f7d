import { once } from 'node:events';
import { openWorker } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { announceCapacity, type AgentCapacity } from '@quire/shared/process';
import { redisKeys } from '@quire/shared/redis';
import { eventually } from '@quire/testkit';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { createKey } from './api-keys-for-test.js';
import { startGateway, type GatewayOptions, type GatewayUnderTest } from './gateway-under-test.js';

const started = async (options: GatewayOptions = {}) => {
  const gateway = await startGateway({ auth: true, maxExpectedWaitMs: 25_000, ...options });
  onTestFinished(() => gateway.close());
  return gateway;
};

async function playWorker({ redis }: GatewayUnderTest, capacity: AgentCapacity) {
  const sayGoodbye = announceCapacity(redis, () => capacity);
  onTestFinished(sayGoodbye);
  await eventually(async () => expect(await redis.zcard(redisKeys.agentCapacity)).toBeGreaterThan(0));
}

/** Takes so many questions from the line, one after the other, and begins the next one. */
async function serve({ redisUrl }: GatewayUnderTest, count: number): Promise<void> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  let begun = 0;
  const answer = async (_: unknown, { signal }: { signal: AbortSignal }) => {
    begun += 1;
    if (begun > count) await once(signal, 'abort');
    return { outcome: 'completed' };
  };
  const logger = createLogger('test', 'silent');
  const worker = openWorker('chat', answer, { connection, concurrency: 1, logger, graceMs: 100 });
  worker.start();
  onTestFinished(async () => {
    await worker.close();
    connection.disconnect();
  });
  await eventually(() => expect(begun).toBe(count + 1));
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
  // Three in front take 30 s, of which 25 s may be waited for; half of the wait is for callers to spread over.
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(5);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(20);
  expect(await refused.json()).toMatchObject({ error_code: 'OVERLOADED' });
  expect(await rowCount(gateway)).toBe(before);
});

it.each([
  { waiting: 30, earliest: 5, latest: 20 },
  { waiting: 60, earliest: 35, latest: 65 },
])(
  'questions refused at one moment behind $waiting s are told times from $earliest s to $latest s, spread over all of them',
  async ({ waiting, earliest, latest }) => {
    const first = await started();
    const { header } = await createKey(first.db, { ratePerMinute: 1000, maxConcurrent: 1000 });
    const { redisUrl, databaseUrl } = first;
    const ask = (at: GatewayUnderTest) =>
      at.post('/chat', { message: 'Hi' }, { prefer: 'respond-async', ...header });
    for (let i = 0; i < 10; i += 1) expect((await ask(first)).status).toBe(202);
    await playWorker(first, { concurrency: 1, service_ms: waiting * 100 });
    // One that has not yet seen that no worker is there.
    const gateway = await started({ redisUrl, databaseUrl });
    const refused = await Promise.all(Array.from({ length: 100 }, () => ask(gateway)));
    const told = refused.map(({ headers }) => Number(headers.get('retry-after'))).sort((a, b) => a - b);
    expect(told.every((seconds) => seconds >= earliest && seconds <= latest)).toBe(true);
    expect(new Set(told).size).toBeGreaterThan(5);
    const centre = told[told.length / 2] ?? 0;
    expect(Math.abs(centre - (earliest + latest) / 2)).toBeLessThan((latest - earliest) / 4);
  },
);

it('of many questions at the same moment no more are let in than can be answered in time', async () => {
  const gateway = await started();
  await playWorker(gateway, { concurrency: 1, service_ms: 1000 });
  const { header } = await createKey(gateway.db, { ratePerMinute: 1000, maxConcurrent: 1000 });
  const responses = await Promise.all(
    Array.from({ length: 150 }, () =>
      gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async', ...header }),
    ),
  );
  const statuses = responses.map(({ status }) => status);
  const accepted = statuses.filter((status) => status === 202).length;
  // One that is served at once, and as many as are served in 25 s; those that arrive during a look may count twice.
  expect(accepted).toBeLessThanOrEqual(26);
  expect(accepted).toBeGreaterThan(13);
  expect(await rowCount(gateway)).toBe(accepted);
  const refused = responses.filter(({ status }) => status !== 202);
  expect(await Promise.all(refused.map((response) => response.json()))).toEqual(
    refused.map(() => expect.objectContaining({ error_code: 'OVERLOADED' }) as unknown),
  );
});

it('who comes back after Retry-After is let in, if the line moves on as it did', async () => {
  const [serviceMs, waiting] = [500, 12];
  const gateway = await startGateway();
  onTestFinished(() => gateway.close());
  const ask = (at = gateway) => at.post('/chat', { message: 'Hi' }, { prefer: 'respond-async' });
  for (let i = 0; i < waiting; i += 1) expect((await ask()).status).toBe(202);
  await playWorker(gateway, { concurrency: 1, service_ms: serviceMs });
  const { redisUrl, databaseUrl } = gateway;
  const strict = await startGateway({ redisUrl, databaseUrl, maxExpectedWaitMs: 2000 });
  onTestFinished(() => strict.close());
  const refused = await ask(strict);
  expect(refused.status).toBe(503);
  const retryAfter = Number(refused.headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThanOrEqual((waiting * serviceMs - 2000) / 1000);
  await serve(gateway, Math.min((retryAfter * 1000) / serviceMs, waiting - 1));
  expect((await ask(strict)).status).toBe(202);
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
