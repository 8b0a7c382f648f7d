import { claimRun, finishRun } from '@quire/shared/database';
import { collectEvents, eventually, textOf } from '@quire/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { completed, deltas, failed, startGateway, type GatewayUnderTest } from './gateway-under-test.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

async function accept(): Promise<string> {
  const response = await gateway.post(
    '/chat',
    { message: 'How do nodes talk?' },
    { prefer: 'respond-async' },
  );
  expect(response.status).toBe(202);
  const { request_id } = (await response.json()) as { request_id: string };
  return request_id;
}

/** A finished run with five deltas: queued, 5 x delta, completed. */
async function finishedRun(): Promise<string> {
  const runId = await accept();
  await gateway.runLog.append(runId, 1, deltas(runId, 'one ', 'two ', 'three ', 'four ', 'five'));
  await gateway.conclude(completed(runId, 'one two three four five'));
  return runId;
}

const completedData = (runId: string) => ({ ...completed(runId).data, timestamp: expect.any(String) });

const follow = (runId: string, after?: number) =>
  gateway.get(`/chat/${runId}/stream`, after === undefined ? {} : { 'last-event-id': String(after) });

it('a stream carries dense ids, event names and JSON with the request id, and ends with the outcome', async () => {
  const response = await gateway.post('/chat/stream', { message: 'How do nodes talk?' });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  const runId = response.headers.get('x-request-id') ?? '';
  await gateway.runLog.append(runId, 1, deltas(runId, 'Hel', 'lo\nthere'));
  await gateway.conclude(completed(runId));
  const events = await collectEvents(response);
  expect(events.map(({ id, event }) => `${id} ${event}`)).toEqual([
    '1 queued',
    '2 delta',
    '3 delta',
    '4 completed',
  ]);
  for (const { data } of events) expect(JSON.parse(data)).toMatchObject({ request_id: runId });
  expect(textOf(events)).toBe('Hello\nthere');
});

it('a stream is requested by stream: true or by the Accept header', async () => {
  for (const [body, headers] of [
    [{ message: 'Hi', stream: true }, {}],
    [{ message: 'Hi' }, { accept: 'text/event-stream' }],
  ] as const) {
    const response = await gateway.post('/chat', body, headers);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await response.body?.cancel();
  }
});

it('a stream cut after the third event and resumed has the same events as an uncut one', async () => {
  const runId = await finishedRun();
  const whole = await collectEvents(await follow(runId));
  const head = await collectEvents(await follow(runId), 3);
  const tail = await collectEvents(await follow(runId, Number(head.at(-1)?.id)));
  expect([...head, ...tail]).toEqual(whole);
  expect(textOf([...head, ...tail])).toBe('one two three four five');
});

it('a stream resumes from ?after= as from Last-Event-ID', async () => {
  const runId = await finishedRun();
  const events = await collectEvents(await gateway.get(`/chat/${runId}/stream?after=6`));
  expect(events.map((event) => event.id)).toEqual(['7']);
});

it('two followers of a live run get the same events', async () => {
  const runId = await accept();
  const followers = [collectEvents(await follow(runId)), collectEvents(await follow(runId))];
  await gateway.runLog.append(runId, 1, deltas(runId, 'a', 'b'));
  await gateway.conclude(completed(runId));
  const [first, second] = await Promise.all(followers);
  expect(first).toHaveLength(4);
  expect(second).toEqual(first);
});

it('a client that has all events gets 204', async () => {
  const runId = await finishedRun();
  expect((await follow(runId, 7)).status).toBe(204);
});

it('a stream restarts with a reset when the position is beyond the log', async () => {
  const runId = await finishedRun();
  const events = await collectEvents(await follow(runId, 900));
  expect(events[0]).toMatchObject({ event: 'reset', id: undefined });
  expect(textOf(events)).toBe('one two three four five');
  expect(events.at(-1)).toMatchObject({ event: 'completed', id: '7' });
});

it('a stream is the stored outcome as one event when the log has expired', async () => {
  const runId = await finishedRun();
  await gateway.redis.flushdb();
  const events = await collectEvents(await follow(runId));
  expect(events.map((event) => event.event)).toEqual(['completed']);
  expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({ answer: 'one two three four five' });
});

it('a stream from a position that the run cannot have reached ends with an id to resume from', async () => {
  const runId = await finishedRun();
  await gateway.redis.flushdb();
  const events = await collectEvents(await follow(runId, 999_999_999));
  expect(events.map(({ event }) => event)).toEqual(['reset', 'completed']);
  expect((await follow(runId, Number(events.at(-1)?.id))).status).toBe(204);
});

it('the end of an unclaimed run reaches a client that has the queued event, also if the log is lost', async () => {
  const runId = await accept();
  await gateway.send('DELETE', `/chat/${runId}`);
  await gateway.redis.flushdb();
  await collectEvents(await follow(runId, 999_999_999));
  const events = await collectEvents(await follow(runId, 1));
  expect(events.at(-1)?.event).toBe('cancelled');
});

it('a client that got the stored outcome gets 204 when it reconnects', async () => {
  const runId = await finishedRun();
  await gateway.redis.flushdb();
  // The second position is that of the end, if the end had the next number.
  for (const after of [7, 8]) {
    const events = await collectEvents(await follow(runId, after));
    expect(events.map(({ event }) => event)).toEqual(['completed']);
    expect((await follow(runId, Number(events[0]?.id))).status).toBe(204);
  }
});

it('an end that was stored but never announced is sent once and at once', async () => {
  const runId = await accept();
  await claimRun(gateway.db, runId);
  await gateway.runLog.append(runId, 1, deltas(runId, 'one'));
  await finishRun(gateway.db, runId, completed(runId, 'one'));
  const events = await collectEvents(await follow(runId, 2));
  expect(events.map(({ id, event }) => `${id} ${event}`)).toEqual(['3 completed']);
  expect((await follow(runId, 3)).status).toBe(204);
});

it('HEAD on a stream does not wait for the run', async () => {
  const runId = await accept();
  const response = await fetch(`${gateway.url}/chat/${runId}/stream`, { method: 'HEAD' });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
});

it('a stream ends with failed when the run fails', async () => {
  const response = await gateway.post('/chat/stream', { message: 'Hi' });
  const runId = response.headers.get('x-request-id') ?? '';
  await gateway.conclude(failed(runId));
  const events = await collectEvents(response);
  expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({
    error_code: 'RETRIEVAL_UNAVAILABLE',
    retry_after: 7,
  });
});

it('a client that leaves a stream leaves no subscription in Redis', async () => {
  const runId = await accept();
  const channel = `quire:run:{${runId}}:events`;
  const response = await follow(runId);
  await eventually(async () => expect(await gateway.redis.pubsub('NUMSUB', channel)).toEqual([channel, 1]));
  await response.body?.cancel();
  await eventually(async () => expect(await gateway.redis.pubsub('NUMSUB', channel)).toEqual([channel, 0]));
});

it('a JSON response is the outcome of the run', async () => {
  const waiting = gateway.post('/chat', { query: 'What is a node?' });
  const runId = await gateway.runOf('What is a node?');
  await gateway.conclude(completed(runId));
  const response = await waiting;
  expect(response.headers.get('x-request-id')).toBe(runId);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(completedData(runId));
});

it('a JSON response for a failed run has its code, the status for it and a Retry-After', async () => {
  const waiting = gateway.post('/chat', { query: 'What is a topic?' });
  const runId = await gateway.runOf('What is a topic?');
  await gateway.conclude(failed(runId));
  const response = await waiting;
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('7');
  expect(await response.json()).toMatchObject({ error_code: 'RETRIEVAL_UNAVAILABLE', request_id: runId });
  const state = await (await gateway.get(`/chat/${runId}`)).json();
  expect(state).toMatchObject({ state: 'failed', error: { error_code: 'RETRIEVAL_UNAVAILABLE' } });
});

it("GET /chat/{request_id} returns the run's state from acceptance to the end", async () => {
  const runId = await accept();
  const state = async () => (await (await gateway.get(`/chat/${runId}`)).json()) as Record<string, unknown>;
  expect(await state()).toMatchObject({ state: 'queued', request_id: runId });
  await gateway.runLog.append(runId, 1, [
    { type: 'status', data: { request_id: runId, state: 'generating' } },
  ]);
  expect(await state()).toMatchObject({ state: 'generating' });
  await gateway.conclude(completed(runId));
  expect(await state()).toMatchObject({ state: 'completed', response: { request_id: runId } });
});
