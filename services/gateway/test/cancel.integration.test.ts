import { randomUUID } from 'node:crypto';
import { cancellationSchema, errorEnvelopeSchema } from '@quire/shared/contracts';
import { claimRun, findRun, finishRun, insertRuns } from '@quire/shared/database';
import { openQueue } from '@quire/shared/jobs';
import { redisKeys } from '@quire/shared/redis';
import { collectEvents, eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { completed, failed, startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { playAgent, SPENT } from './play-agent.js';

const NOTHING = { prompt: 0, completion: 0, total: 0 };

async function gatewayForTest(redisUrl?: string): Promise<GatewayUnderTest> {
  const gateway = await startGateway(redisUrl === undefined ? {} : { redisUrl });
  onTestFinished(() => gateway.close());
  return gateway;
}

async function accept(gateway: GatewayUnderTest): Promise<string> {
  const accepted = await gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async' });
  return ((await accepted.json()) as { request_id: string }).request_id;
}

const cancel = (gateway: GatewayUnderTest, runId: string) =>
  fetch(`${gateway.url}/chat/${runId}`, { method: 'DELETE' });

const resultOf = async (response: Response) => ({
  status: response.status,
  body: cancellationSchema.parse(await response.json()),
});

const jobOf = async (gateway: GatewayUnderTest, runId: string) => {
  const queue = openQueue('chat', gateway.redis);
  onTestFinished(() => queue.close());
  return (await queue.find(runId)).state;
};

it('cancelling a waiting run removes its job, ends it with no tokens spent and its followers get the end', async () => {
  const gateway = await gatewayForTest();
  const stream = await gateway.post('/chat/stream', { message: 'Hi' });
  const runId = stream.headers.get('x-request-id') ?? '';
  expect(await jobOf(gateway, runId)).toBe('pending');
  expect(await resultOf(await cancel(gateway, runId))).toEqual({
    status: 200,
    body: { request_id: runId, state: 'cancelled', tokens_used: NOTHING },
  });
  expect(await jobOf(gateway, runId)).toBe('missing');
  const events = await collectEvents(stream);
  expect(events.map(({ event }) => event)).toEqual(['queued', 'cancelled']);
  expect(JSON.parse(events[1]?.data ?? '')).toEqual({ request_id: runId, tokens_used: NOTHING });
});

it('a caller that waits for JSON gets 409 CANCELLED when its run is cancelled', async () => {
  const gateway = await gatewayForTest();
  const waiting = gateway.post('/chat', { message: 'Wait' });
  const runId = await gateway.runOf('Wait');
  await cancel(gateway, runId);
  const response = await waiting;
  expect(response.status).toBe(409);
  expect(errorEnvelopeSchema.parse(await response.json()).error_code).toBe('CANCELLED');
});

it('concurrent cancels of a waiting run return the same response', async () => {
  const gateway = await gatewayForTest();
  const runId = await accept(gateway);
  const answers = await Promise.all([1, 2, 3, 4].map(async () => resultOf(await cancel(gateway, runId))));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 200, body: { state: 'cancelled', tokens_used: NOTHING } });
});

it('a run that is cancelled while a worker claims it ends once, by the gateway or by the worker', async () => {
  const gateway = await gatewayForTest();
  const agent = await playAgent(gateway.redisUrl, gateway.db);
  const runs = await Promise.all(Array.from({ length: 20 }, () => accept(gateway)));
  const answers = await Promise.all(runs.map(async (id) => resultOf(await cancel(gateway, id))));
  for (const [i, { status, body }] of answers.entries()) {
    const spent = agent.claimed.includes(runs[i] ?? '') ? SPENT : NOTHING;
    expect({ status, body }).toEqual({
      status: 200,
      body: { request_id: runs[i], state: 'cancelled', tokens_used: spent },
    });
  }
});

it('cancelling an executing run returns the tokens spent when the worker has confirmed', async () => {
  const gateway = await gatewayForTest();
  const agent = await playAgent(gateway.redisUrl, gateway.db);
  const stream = await gateway.post('/chat/stream', { message: 'Hi' });
  const runId = stream.headers.get('x-request-id') ?? '';
  await eventually(() => expect(agent.claimed).toContain(runId));
  const answers = await Promise.all([1, 2].map(async () => resultOf(await cancel(gateway, runId))));
  const answer = { status: 200, body: { request_id: runId, state: 'cancelled', tokens_used: SPENT } };
  expect(answers).toEqual([answer, answer]);
  expect((await collectEvents(stream)).at(-1)).toMatchObject({ event: 'cancelled' });
  expect(await resultOf(await cancel(gateway, runId))).toEqual(answer);
});

it('a cancel request is stored before it is published to the workers', async () => {
  const gateway = await gatewayForTest();
  const runId = await accept(gateway);
  await claimRun(gateway.db, runId);
  const subscriber = new Redis(gateway.redisUrl);
  onTestFinished(() => subscriber.disconnect());
  await subscriber.subscribe(redisKeys.cancelChannel);
  const stored = new Promise<unknown>((resolve) => {
    subscriber.on('message', (_channel, id: string) => {
      if (id === runId) resolve(findRun(gateway.db, id));
    });
  });
  const answer = cancel(gateway, runId);
  expect(await stored).toMatchObject({ cancelRequested: true, outcome: null });
  await gateway.conclude(completed(runId));
  expect(await resultOf(await answer)).toMatchObject({ body: { state: 'completed' } });
});

it('a run that is claimed at the moment of its cancel is left to the worker', async () => {
  const gateway = await gatewayForTest();
  const runId = await accept(gateway);
  // Claims the run right after the statement that requests the cancel, which still sees it unclaimed.
  await sql`CREATE FUNCTION claim() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN UPDATE runs SET attempt = 1 WHERE id = NEW.id; RETURN NULL; END'`.execute(gateway.db);
  await sql`CREATE TRIGGER claim AFTER UPDATE OF cancel_requested_at ON runs
    FOR EACH ROW EXECUTE FUNCTION claim()`.execute(gateway.db);
  const answer = cancel(gateway, runId);
  await eventually(async () => expect((await findRun(gateway.db, runId))?.cancelRequested).toBe(true));
  await gateway.conclude({ type: 'cancelled', data: { request_id: runId, tokens_used: SPENT } });
  expect(await resultOf(await answer)).toMatchObject({ status: 200, body: { tokens_used: SPENT } });
});

it('a cancel that no worker confirms is a 202 with Location, and the request stays stored', async () => {
  const gateway = await gatewayForTest();
  const runId = await accept(gateway);
  await claimRun(gateway.db, runId);
  const response = await cancel(gateway, runId);
  expect(response.headers.get('location')).toBe(`/chat/${runId}`);
  expect(await resultOf(response)).toEqual({
    status: 202,
    body: { request_id: runId, state: 'cancelling' },
  });
  expect(await findRun(gateway.db, runId)).toMatchObject({ cancelRequested: true, outcome: null });
});

it('a cancel returns an end that was stored but never announced', async () => {
  const gateway = await gatewayForTest();
  const runId = await accept(gateway);
  await claimRun(gateway.db, runId);
  const answer = cancel(gateway, runId);
  await eventually(async () => expect((await findRun(gateway.db, runId))?.cancelRequested).toBe(true));
  const outcome = { type: 'cancelled', data: { request_id: runId, tokens_used: SPENT } } as const;
  await finishRun(gateway.db, runId, outcome, 1);
  expect(await resultOf(await answer)).toMatchObject({ status: 200, body: { tokens_used: SPENT } });
});

it('cancelling a run between two attempts waits for the worker that knows what was spent', async () => {
  const gateway = await gatewayForTest();
  const runId = await accept(gateway);
  await claimRun(gateway.db, runId);
  const answer = cancel(gateway, runId);
  await eventually(async () => expect((await findRun(gateway.db, runId))?.cancelRequested).toBe(true));
  await playAgent(gateway.redisUrl, gateway.db);
  expect(await resultOf(await answer)).toMatchObject({ status: 200, body: { tokens_used: SPENT } });
});

it.each([
  ['completed', completed, { prompt: 1, completion: 2, total: 3 }],
  ['failed', failed, null],
])(
  'cancelling a run that has %s returns its end and changes nothing',
  async (state, outcomeOf, tokens_used) => {
    const gateway = await gatewayForTest();
    const runId = await accept(gateway);
    await gateway.conclude(outcomeOf(runId));
    const before = await findRun(gateway.db, runId);
    expect(await resultOf(await cancel(gateway, runId))).toEqual({
      status: 200,
      body: { request_id: runId, state, tokens_used },
    });
    expect(await findRun(gateway.db, runId)).toEqual(before);
  },
);

it('cancelling a run that has ended needs no Redis', async () => {
  const proxy = await startTcpProxy(await testRedisUrl());
  onTestFinished(() => proxy.close());
  const gateway = await gatewayForTest(proxy.url);
  const runId = await accept(gateway);
  await finishRun(gateway.db, runId, completed(runId));
  await proxy.cut();
  expect(await resultOf(await cancel(gateway, runId))).toMatchObject({ body: { state: 'completed' } });
});

it('cancelling an unknown run, or one of another tenant, is a 404', async () => {
  const gateway = await gatewayForTest();
  const id = randomUUID();
  const request = { message: 'Hi', session_id: randomUUID(), top_k: 5 };
  const deadlineAt = new Date(Date.now() + 60_000);
  await insertRuns(gateway.db, [{ id, tenant: 'other', request, acceptedAt: new Date(), deadlineAt }]);
  for (const runId of [id, randomUUID(), 'not-a-uuid']) {
    const response = await cancel(gateway, runId);
    expect(response.status).toBe(404);
    expect(errorEnvelopeSchema.parse(await response.json()).error_code).toBe('NOT_FOUND');
  }
  expect(await findRun(gateway.db, id)).toMatchObject({ cancelRequested: false, outcome: null });
});

it('cancelling a run while Redis is away is a 503, but the request is stored', async () => {
  const proxy = await startTcpProxy(await testRedisUrl());
  onTestFinished(() => proxy.close());
  const gateway = await gatewayForTest(proxy.url);
  const runId = await accept(gateway);
  await claimRun(gateway.db, runId);
  await proxy.cut();
  const response = await cancel(gateway, runId);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(errorEnvelopeSchema.parse(await response.json()).error_code).toBe('QUEUE_UNAVAILABLE');
  expect(await findRun(gateway.db, runId)).toMatchObject({ cancelRequested: true, outcome: null });
});

it("DELETE is in the Allow header of a run's address", async () => {
  const gateway = await gatewayForTest();
  const response = await fetch(`${gateway.url}/chat/${randomUUID()}`, { method: 'PUT' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD, DELETE');
});
