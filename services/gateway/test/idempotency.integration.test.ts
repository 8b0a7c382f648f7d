import { randomUUID } from 'node:crypto';
import { claimRun, findRun, finishRun } from '@quire/shared/database';
import { collectEvents, textOf } from '@quire/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { completed, deltas, failed, startGateway, type GatewayUnderTest } from './gateway-under-test.js';

const ASYNC = { prefer: 'respond-async' };
let gateway: GatewayUnderTest;
let other: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
  other = await startGateway({ redisUrl: gateway.redisUrl, databaseUrl: gateway.databaseUrl });
});
afterAll(async () => {
  await other.close();
  await gateway.close();
});

const body = (question = 'How do nodes talk?') => ({ message: question });
const ask = (key: string, asked: object = body(), headers: Record<string, string> = ASYNC, at = gateway) =>
  at.post('/chat', asked, { 'idempotency-key': key, ...headers });
const runIdOf = async (response: Response) => ((await response.json()) as { request_id: string }).request_id;
const accept = async (key: string) => runIdOf(await ask(key));

async function finish(runId: string): Promise<void> {
  await claimRun(gateway.db, runId);
  await gateway.runLog.append(runId, 1, deltas(runId, 'one ', 'two ', 'three'));
  await gateway.conclude(completed(runId, 'one two three'));
}

it('concurrent requests with one Idempotency-Key on two gateways make one run', async () => {
  const key = randomUUID();
  const gateways = Array.from({ length: 20 }, (_, i) => (i % 2 ? gateway : other));
  const responses = await Promise.all(gateways.map((at) => ask(key, body(key), ASYNC, at)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]));
  expect(new Set(await Promise.all(responses.map(runIdOf))).size).toBe(1);
  const replays = responses.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
  expect(replays).toHaveLength(19);
  const rows = await gateway.db.selectFrom('runs').select('request').execute();
  expect(rows.filter(({ request }) => request.message === key)).toHaveLength(1);
});

it('a replay without a session_id gets the session of the first request', async () => {
  const key = randomUUID();
  const [first, second] = [await (await ask(key)).json(), await (await ask(key)).json()];
  expect(second).toEqual(first);
});

it('a finished run is replayed as JSON, as a stream and from a position', async () => {
  const key = randomUUID();
  const runId = await accept(key);
  await finish(runId);
  const json = await ask(key, body(), {});
  expect(json.headers.get('x-request-id')).toBe(runId);
  expect(await json.json()).toMatchObject({ request_id: runId, answer: 'one two three' });
  const whole = await collectEvents(await ask(key, body(), { accept: 'text/event-stream' }));
  expect(whole.map(({ event }) => event)).toEqual(['queued', 'delta', 'delta', 'delta', 'completed']);
  expect(textOf(whole)).toBe('one two three');
  const rest = await collectEvents(
    await ask(key, body(), { accept: 'text/event-stream', 'last-event-id': '3' }),
  );
  expect(rest).toEqual(whole.slice(3));
});

it('a replay follows a run that has not ended', async () => {
  const key = randomUUID();
  const runId = await accept(key);
  const joined = ask(key, { ...body(), stream: true }, {}, other);
  await finish(runId);
  expect((await collectEvents(await joined)).at(-1)?.event).toBe('completed');
});

it('a run whose log is lost is replayed from Postgres', async () => {
  const key = randomUUID();
  const runId = await accept(key);
  await finish(runId);
  await gateway.redis.flushdb();
  expect(await (await ask(key, body(), {})).json()).toMatchObject({ answer: 'one two three' });
});

it('an Idempotency-Key makes a new run after a 503, and replays every other end', async () => {
  const [passing, lasting] = [randomUUID(), randomUUID()];
  const failedRun = await accept(passing);
  await gateway.conclude(failed(failedRun));
  const again = await accept(passing);
  expect(again).not.toBe(failedRun);
  expect(await accept(passing)).toBe(again);
  const cancelledRun = await accept(lasting);
  const tokens_used = { prompt: 0, completion: 0, total: 0 };
  await finishRun(gateway.db, cancelledRun, {
    type: 'cancelled',
    data: { request_id: cancelledRun, tokens_used },
  });
  expect(await accept(lasting)).toBe(cancelledRun);
  expect((await ask(lasting, body(), {})).status).toBe(409);
});

it('an Idempotency-Key with another body is a 409 and changes nothing', async () => {
  const key = randomUUID();
  const runId = await accept(key);
  for (const another of [body('What is URDF?'), { ...body(), top_k: 3 }, { ...body(), metadata: { a: 1 } }]) {
    const refused = await ask(key, another);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ error_code: 'IDEMPOTENCY_CONFLICT' });
  }
  expect(await findRun(gateway.db, runId)).toMatchObject({ outcome: null });
  expect(await accept(key)).toBe(runId);
});

it('the form of the response and the order of fields are not part of the idempotent body', async () => {
  const key = randomUUID();
  const first = await runIdOf(await ask(key, { message: 'Hi', top_k: 4 }));
  expect(await runIdOf(await ask(key, { top_k: 4, message: 'Hi', stream: false }))).toBe(first);
});

it.each(['', ' ', 'a b', 'x'.repeat(256), 'kéy'])('the Idempotency-Key %j is refused', async (key) => {
  const response = await ask(Buffer.from(key).toString('latin1'));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error_code: 'INVALID_REQUEST',
    details: [{ path: 'Idempotency-Key' }],
  });
});
