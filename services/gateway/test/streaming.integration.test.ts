import { claimRun, finishRun } from '@quire/shared/database';
import { collectEvents, eventually, textOf } from '@quire/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('a stream', () => {
  it('carries dense ids, event names and JSON with the request id, and ends with the outcome', async () => {
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

  it('is chosen by stream: true and by the Accept header', async () => {
    for (const [body, headers] of [
      [{ message: 'Hi', stream: true }, {}],
      [{ message: 'Hi' }, { accept: 'text/event-stream' }],
    ] as const) {
      const response = await gateway.post('/chat', body, headers);
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
      await response.body?.cancel();
    }
  });

  it('cut after the third event and resumed gives the same bytes as an uncut one', async () => {
    const runId = await finishedRun();
    const whole = await collectEvents(await follow(runId));
    const head = await collectEvents(await follow(runId), 3);
    const tail = await collectEvents(await follow(runId, Number(head.at(-1)?.id)));
    expect([...head, ...tail]).toEqual(whole);
    expect(textOf([...head, ...tail])).toBe('one two three four five');
  });

  it('resumes from ?after= as from Last-Event-ID', async () => {
    const runId = await finishedRun();
    const events = await collectEvents(await gateway.get(`/chat/${runId}/stream?after=6`));
    expect(events.map((event) => event.id)).toEqual(['7']);
  });

  it('shows two followers of a live run the same events', async () => {
    const runId = await accept();
    const followers = [collectEvents(await follow(runId)), collectEvents(await follow(runId))];
    await gateway.runLog.append(runId, 1, deltas(runId, 'a', 'b'));
    await gateway.conclude(completed(runId));
    const [first, second] = await Promise.all(followers);
    expect(first).toHaveLength(4);
    expect(second).toEqual(first);
  });

  it('tells a client that has everything to stop with 204', async () => {
    const runId = await finishedRun();
    expect((await follow(runId, 7)).status).toBe(204);
  });

  it('starts anew with a reset when the position is beyond the log', async () => {
    const runId = await finishedRun();
    const events = await collectEvents(await follow(runId, 900));
    expect(events[0]).toMatchObject({ event: 'reset', id: undefined });
    expect(textOf(events)).toBe('one two three four five');
    expect(events.at(-1)).toMatchObject({ event: 'completed', id: '7' });
  });

  it('gives the stored outcome as one event when the log has expired', async () => {
    const runId = await finishedRun();
    await gateway.redis.flushdb();
    const events = await collectEvents(await follow(runId));
    expect(events.map((event) => event.event)).toEqual(['completed']);
    expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({ answer: 'one two three four five' });
  });

  it('takes no position for its own that the run cannot have reached: the id it tells is one to resume from', async () => {
    const runId = await finishedRun();
    await gateway.redis.flushdb();
    const events = await collectEvents(await follow(runId, 999_999_999));
    expect(events.map(({ event }) => event)).toEqual(['reset', 'completed']);
    expect((await follow(runId, Number(events.at(-1)?.id))).status).toBe(204);
  });

  it('tells the end of a run that nobody had claimed also to those who know that it was queued', async () => {
    const runId = await accept();
    await gateway.send('DELETE', `/chat/${runId}`);
    await gateway.redis.flushdb();
    await collectEvents(await follow(runId, 999_999_999));
    const events = await collectEvents(await follow(runId, 1));
    expect(events.at(-1)?.event).toBe('cancelled');
  });

  it('lets clients that got the stored outcome go: their reconnect is answered with 204', async () => {
    const runId = await finishedRun();
    await gateway.redis.flushdb();
    // The second is where the first would be if the end had the next number.
    for (const after of [7, 8]) {
      const events = await collectEvents(await follow(runId, after));
      expect(events.map(({ event }) => event)).toEqual(['completed']);
      expect((await follow(runId, Number(events[0]?.id))).status).toBe(204);
    }
  });

  it('tells an end that was stored but never announced, once and at once', async () => {
    const runId = await accept();
    await claimRun(gateway.db, runId);
    await gateway.runLog.append(runId, 1, deltas(runId, 'one'));
    await finishRun(gateway.db, runId, completed(runId, 'one'));
    const events = await collectEvents(await follow(runId, 2));
    expect(events.map(({ id, event }) => `${id} ${event}`)).toEqual(['3 completed']);
    expect((await follow(runId, 3)).status).toBe(204);
  });

  it('answers HEAD without waiting for the run', async () => {
    const runId = await accept();
    const response = await fetch(`${gateway.url}/chat/${runId}/stream`, { method: 'HEAD' });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  });

  it('ends with failed when the run fails', async () => {
    const response = await gateway.post('/chat/stream', { message: 'Hi' });
    const runId = response.headers.get('x-request-id') ?? '';
    await gateway.conclude(failed(runId));
    const events = await collectEvents(response);
    expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({
      error_code: 'RETRIEVAL_UNAVAILABLE',
      retry_after: 7,
    });
  });

  it('leaves no subscription behind when the client goes', async () => {
    const runId = await accept();
    const channel = `quire:run:{${runId}}:events`;
    const response = await follow(runId);
    await eventually(async () => expect(await gateway.redis.pubsub('NUMSUB', channel)).toEqual([channel, 1]));
    await response.body?.cancel();
    await eventually(async () => expect(await gateway.redis.pubsub('NUMSUB', channel)).toEqual([channel, 0]));
  });
});

describe('a JSON answer', () => {
  it('is the response of the run', async () => {
    const waiting = gateway.post('/chat', { query: 'What is a node?' });
    const runId = await gateway.runOf('What is a node?');
    await gateway.conclude(completed(runId));
    const response = await waiting;
    expect(response.headers.get('x-request-id')).toBe(runId);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(completedData(runId));
  });

  it('of a failed run has the code, its status and a Retry-After', async () => {
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
});

describe('GET /chat/{request_id}', () => {
  it('tells the state from acceptance to the end', async () => {
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
});
