import { randomUUID } from 'node:crypto';
import { findRun, setAbandoned } from '@quire/shared/database';
import { eventually, startPrivateRedis } from '@quire/testkit';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { completed, startGateway, type GatewayUnderTest } from './gateway-under-test.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

let questions = 0;

/** Asks, waits until the run is there and leaves. */
async function askAndLeave(
  path: string,
  fields: object = {},
  headers: Record<string, string> = {},
  at = gateway,
): Promise<string> {
  const message = `Question ${(questions += 1)}?`;
  const leaving = new AbortController();
  const asked = fetch(at.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ message, ...fields }),
    signal: leaving.signal,
  });
  asked.catch(() => {});
  const runId = await at.runOf(message);
  await eventually(async () => expect(await at.runLog.lastEntry(runId)).toBeDefined());
  leaving.abort();
  return runId;
}
const isAbandoned = async (runId: string, at = gateway) => (await findRun(at.db, runId))?.abandoned;
const expectAbandoned = (runId: string, at = gateway) =>
  eventually(async () => expect(await isAbandoned(runId, at)).toBe(true));

/** Until earlier disconnects are processed: a later one is. */
const earlierDisconnects = async () => expectAbandoned(await askAndLeave('/chat'));

it.each([
  ['/chat', {}],
  ['/chat/run', {}],
  ['/chat', { stream: true, on_disconnect: 'cancel' }],
])('a client of %s %j that leaves abandons its run', async (path, fields) => {
  await expectAbandoned(await askAndLeave(path, fields));
});

it.each([
  ['/chat/stream', {}],
  ['/chat', { on_disconnect: 'continue' }],
])('the run of a client of %s %j that leaves is not abandoned', async (path, fields) => {
  const runId = await askAndLeave(path, fields);
  await earlierDisconnects();
  expect(await isAbandoned(runId)).toBe(false);
});

it('a client that leaves after its response abandons nothing', async () => {
  const answered = gateway.post('/chat', { message: 'Answered?' });
  const runId = await gateway.runOf('Answered?');
  await gateway.conclude(completed(runId));
  expect((await answered).status).toBe(200);
  expect(await isAbandoned(runId)).toBe(false);
});

it('a client that resumes an abandoned run clears the mark, and sets it again when it leaves', async () => {
  const runId = await askAndLeave('/chat/stream', { on_disconnect: 'cancel' });
  await expectAbandoned(runId);
  const leaving = new AbortController();
  const resumed = await fetch(`${gateway.url}/chat/${runId}/stream`, { signal: leaving.signal });
  expect(resumed.status).toBe(200);
  await eventually(async () => expect(await isAbandoned(runId)).toBe(false));
  leaving.abort();
  await expectAbandoned(runId);
});

/** Leaves a run and replays it with `respond-async`. */
async function comeBack(fields: object): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const runId = await askAndLeave('/chat', fields, headers);
  await expectAbandoned(runId);
  const message = (await findRun(gateway.db, runId))?.request.message;
  const again = await gateway.post('/chat', { message, ...fields }, { ...headers, prefer: 'respond-async' });
  expect([again.status, await again.json()]).toMatchObject([202, { request_id: runId }]);
  expect(await isAbandoned(runId)).toBe(false);
  return runId;
}

it('a replay with respond-async keeps the run going, also if the mark of its disconnect is set late', async () => {
  const runId = await comeBack({});
  await setAbandoned(gateway.db, runId, true);
  expect(await isAbandoned(runId)).toBe(false);
});

it('a run replayed with respond-async is not abandoned by later followers', async () => {
  const runId = await comeBack({});
  const resumed = await gateway.get(`/chat/${runId}/stream`);
  await resumed.body?.cancel();
  await earlierDisconnects();
  expect(await isAbandoned(runId)).toBe(false);
});

it('a run replayed with respond-async and on_disconnect: cancel is abandoned by its next follower', async () => {
  const runId = await comeBack({ on_disconnect: 'cancel' });
  const resumed = await gateway.get(`/chat/${runId}/stream`);
  await resumed.body?.cancel();
  await expectAbandoned(runId);
});

it('a reconnect that is refused while Redis is away leaves the run abandoned', async () => {
  const redis = await startPrivateRedis();
  const alone = await startGateway({ redisUrl: redis.url });
  onTestFinished(async () => {
    await alone.close();
    await redis.cleanup();
  });
  const runId = await askAndLeave('/chat/stream', { on_disconnect: 'cancel' }, {}, alone);
  await expectAbandoned(runId, alone);
  await redis.kill();
  expect((await alone.get(`/chat/${runId}/stream`)).status).toBe(503);
  expect(await isAbandoned(runId, alone)).toBe(true);
});

it('a gateway that stops abandons no run: its clients resume elsewhere', async () => {
  const stopping = await startGateway({ redisUrl: gateway.redisUrl, databaseUrl: gateway.databaseUrl });
  const stream = await stopping.post('/chat/stream', { message: 'Elsewhere?', on_disconnect: 'cancel' });
  const runId = await gateway.runOf('Elsewhere?');
  await stopping.close();
  await stream.text();
  expect(await isAbandoned(runId)).toBe(false);
});
