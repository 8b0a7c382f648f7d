import { findRun } from '@quire/shared/database';
import { eventually } from '@quire/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completed, startGateway, type GatewayUnderTest } from './gateway-under-test.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

let questions = 0;

/** Asks, waits until the run is there and leaves. */
async function askAndLeave(path: string, fields: object = {}): Promise<string> {
  const message = `Question ${(questions += 1)}?`;
  const leaving = new AbortController();
  const asked = fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message, ...fields }),
    signal: leaving.signal,
  });
  asked.catch(() => {});
  const runId = await gateway.runOf(message);
  await eventually(async () => expect(await gateway.runLog.lastEntry(runId)).toBeDefined());
  leaving.abort();
  return runId;
}
const untilGone = () =>
  eventually(async () => {
    const [, count] = (await gateway.redis.pubsub('CHANNELS', 'quire:run:*')) as string[];
    expect(count).toBeUndefined();
  });
const isAbandoned = async (runId: string) => (await findRun(gateway.db, runId))?.abandoned;
const expectAbandoned = (runId: string) =>
  eventually(async () => expect(await isAbandoned(runId)).toBe(true));

describe('a client that leaves', () => {
  it.each([
    ['/chat', {}],
    ['/chat/run', {}],
    ['/chat', { stream: true, on_disconnect: 'cancel' }],
  ])('%s %j has its run abandoned', async (path, fields) => {
    await expectAbandoned(await askAndLeave(path, fields));
  });

  it.each([
    ['/chat/stream', {}],
    ['/chat', { on_disconnect: 'continue' }],
  ])('%s %j lets its run go on', async (path, fields) => {
    const runId = await askAndLeave(path, fields);
    await untilGone();
    expect(await isAbandoned(runId)).toBe(false);
  });

  it('after the answer has nothing to abandon', async () => {
    const answered = gateway.post('/chat', { message: 'Answered?' });
    const runId = await gateway.runOf('Answered?');
    await gateway.conclude(completed(runId));
    expect((await answered).status).toBe(200);
    expect(await isAbandoned(runId)).toBe(false);
  });
});

it('a client that comes back wants the run again, and leaves it again', async () => {
  const runId = await askAndLeave('/chat/stream', { on_disconnect: 'cancel' });
  await expectAbandoned(runId);
  const leaving = new AbortController();
  const resumed = await fetch(`${gateway.url}/chat/${runId}/stream`, { signal: leaving.signal });
  expect(resumed.status).toBe(200);
  await eventually(async () => expect(await isAbandoned(runId)).toBe(false));
  leaving.abort();
  await expectAbandoned(runId);
});

it('a gateway that stops abandons nothing: its clients resume elsewhere', async () => {
  const stopping = await startGateway({ redisUrl: gateway.redisUrl, databaseUrl: gateway.databaseUrl });
  const stream = await stopping.post('/chat/stream', { message: 'Elsewhere?', on_disconnect: 'cancel' });
  const runId = await gateway.runOf('Elsewhere?');
  await stopping.close();
  await stream.text();
  expect(await isAbandoned(runId)).toBe(false);
});
