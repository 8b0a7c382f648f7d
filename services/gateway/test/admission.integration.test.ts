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
  const leave = announceCapacity(redis, () => capacity);
  onTestFinished(leave);
  await eventually(async () => expect(await redis.zcard(redisKeys.agentCapacity)).toBeGreaterThan(0));
}

/** Processes `count` jobs of the queue, one after the other, and starts the next one. */
async function serve({ redisUrl }: GatewayUnderTest, count: number): Promise<void> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  let executions = 0;
  const answer = async (_: unknown, { signal }: { signal: AbortSignal }) => {
    executions += 1;
    if (executions > count) await once(signal, 'abort');
    return { outcome: 'completed' };
  };
  const logger = createLogger('test', 'silent');
  const worker = openWorker('chat', answer, { connection, concurrency: 1, logger, graceMs: 100 });
  worker.start();
  onTestFinished(async () => {
    await worker.close();
    connection.disconnect();
  });
  await eventually(() => expect(executions).toBe(count + 1));
}

const asker = async (gateway: GatewayUnderTest, tenant: string) => {
  const { header } = await createKey(gateway.db, { tenant });
  return (more: Record<string, string> = {}) =>
    gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async', ...header, ...more });
};
const rowCount = async ({ db }: GatewayUnderTest) =>
  (await db.selectFrom('runs').select('id').execute()).length;

it('a question whose expected wait is too long is refused before its row is inserted, with a Retry-After', async () => {
  const gateway = await started();
  await playWorker(gateway, { concurrency: 1, service_ms: 10_000 });
  const ask = await asker(gateway, 'acme');
  for (let i = 0; i < 3; i += 1) expect((await ask()).status).toBe(202);
  const before = await rowCount(gateway);
  const refused = await ask();
  expect(refused.status).toBe(503);
  // Three jobs ahead take 30 s, 5 s more than allowed; callers are spread over half of the wait.
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(5);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(20);
  expect(await refused.json()).toMatchObject({ error_code: 'OVERLOADED' });
  expect(await rowCount(gateway)).toBe(before);
});

it.each([
  { waiting: 30, earliest: 5, latest: 20 },
  { waiting: 60, earliest: 35, latest: 65 },
])(
  'questions refused behind a queue of $waiting s get a Retry-After spread from $earliest s to $latest s',
  async ({ waiting, earliest, latest }) => {
    const first = await started();
    const { header } = await createKey(first.db, { ratePerMinute: 1000, maxConcurrent: 1000 });
    const { redisUrl, databaseUrl } = first;
    const ask = (at: GatewayUnderTest) =>
      at.post('/chat', { message: 'Hi' }, { prefer: 'respond-async', ...header });
    for (let i = 0; i < 10; i += 1) expect((await ask(first)).status).toBe(202);
    await playWorker(first, { concurrency: 1, service_ms: waiting * 100 });
    // A gateway that has not cached the lack of workers.
    const gateway = await started({ redisUrl, databaseUrl });
    const refused = await Promise.all(Array.from({ length: 100 }, () => ask(gateway)));
    const delays = refused.map(({ headers }) => Number(headers.get('retry-after'))).sort((a, b) => a - b);
    expect(delays.every((seconds) => seconds >= earliest && seconds <= latest)).toBe(true);
    expect(new Set(delays).size).toBeGreaterThan(5);
    const centre = delays[delays.length / 2] ?? 0;
    expect(Math.abs(centre - (earliest + latest) / 2)).toBeLessThan((latest - earliest) / 4);
  },
);

it('of many concurrent questions no more are admitted than can be executed in time', async () => {
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
  // One is executed at once, and 25 in the 25 s allowed; those that are enqueued during a check may count twice.
  expect(accepted).toBeLessThanOrEqual(26);
  expect(accepted).toBeGreaterThan(13);
  expect(await rowCount(gateway)).toBe(accepted);
  const refused = responses.filter(({ status }) => status !== 202);
  expect(await Promise.all(refused.map((response) => response.json()))).toEqual(
    refused.map(() => expect.objectContaining({ error_code: 'OVERLOADED' }) as unknown),
  );
});

it('a caller that retries after Retry-After is admitted if the queue has moved on at the same pace', async () => {
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

it("another tenant's burst does not get a caller refused", async () => {
  const gateway = await started();
  await playWorker(gateway, { concurrency: 1, service_ms: 10_000 });
  const [ask, other] = [await asker(gateway, 'acme'), await asker(gateway, 'umbrella')];
  for (let i = 0; i < 3; i += 1) await ask();
  expect((await ask()).status).toBe(503);
  expect((await other()).status).toBe(202);
});

it('a replay is returned however long the queue is', async () => {
  const gateway = await started();
  await playWorker(gateway, { concurrency: 1, service_ms: 10_000 });
  const ask = await asker(gateway, 'acme');
  expect((await ask({ 'idempotency-key': 'mine' })).status).toBe(202);
  for (let i = 0; i < 2; i += 1) await ask();
  expect((await ask()).status).toBe(503);
  expect((await ask({ 'idempotency-key': 'mine' })).status).toBe(202);
});

it('more workers shorten the expected wait as soon as they have started', async () => {
  const gateway = await started();
  await playWorker(gateway, { concurrency: 1, service_ms: 10_000 });
  const ask = await asker(gateway, 'acme');
  for (let i = 0; i < 3; i += 1) await ask();
  expect((await ask()).status).toBe(503);
  await playWorker(gateway, { concurrency: 50, service_ms: 10_000 });
  await eventually(async () => expect((await ask()).status).toBe(202));
});

it('without a worker there is no estimate, and questions are admitted', async () => {
  const gateway = await started();
  const ask = await asker(gateway, 'acme');
  for (let i = 0; i < 8; i += 1) expect((await ask()).status).toBe(202);
});
