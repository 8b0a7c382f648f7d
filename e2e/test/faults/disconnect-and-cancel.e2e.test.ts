import { randomUUID } from 'node:crypto';
import { cancellationSchema, type Cancellation } from '@quire/shared/contracts';
import { collectEvents, eventually } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { holdAnswer, type HeldAnswer } from './held-answer.js';
import { numberedText, questionOf } from './numbered-answer.js';
import { followStream, expectOneAnswer } from './resuming-client.js';
import { startTwoOfEach, type TwoOfEach } from './two-of-each.js';

let stack: TwoOfEach;
let held: HeldAnswer;
beforeAll(async () => {
  stack = await startTwoOfEach({ DISCONNECT_GRACE_MS: '1500', RECONCILE_EVERY_MS: '300' });
});
afterEach(async () => {
  held.release();
  stack.providers.reset();
  await stack.refill();
});
afterAll(() => stack.close());

function holdAll(): void {
  held = holdAnswer();
  stack.providers.chat.byDefault(held.behaviour);
}

interface Leaving {
  requestId: string;
  leave(): void;
}

/** A client that disconnects once the model has been called; its run can be found by its Idempotency-Key. */
async function connect(gateway: number, tag: string, path: string, more: object = {}): Promise<Leaving> {
  const leaving = new AbortController();
  const key = randomUUID();
  const ask = (headers: Record<string, string>, signal?: AbortSignal) =>
    fetch(`${stack.gateways()[gateway]}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
      body: JSON.stringify({ message: questionOf(tag), ...more }),
      ...(signal && { signal }),
    });
  const response = ask({}, leaving.signal);
  response.catch(() => {});
  await eventually(() => expect(stack.callsFor(tag)).toHaveLength(1));
  // A JSON response names its run only at the end; a stream of the same run names it at once.
  const named = path === '/chat' ? await ask({ accept: 'text/event-stream' }) : await response;
  if (path === '/chat') await named.body?.cancel();
  return { requestId: named.headers.get('x-request-id') ?? '', leave: () => leaving.abort() };
}

async function runOf(requestId: string): Promise<{ state: string; response?: { answer: string } }> {
  const response = await fetch(`${stack.gateways()[1]}/chat/${requestId}`);
  return (await response.json()) as { state: string; response?: { answer: string } };
}

const untilState = (requestId: string, state: string) =>
  eventually(async () => expect((await runOf(requestId)).state).toBe(state));

async function cancel(gateway: number, requestId: string): Promise<Cancellation> {
  const response = await fetch(`${stack.gateways()[gateway]}/chat/${requestId}`, { method: 'DELETE' });
  return cancellationSchema.parse(await response.json());
}

it('a run is cancelled a grace period after its JSON client leaves, and completes when its stream client leaves', async () => {
  holdAll();
  const json = await connect(0, 'json-left', '/chat');
  const stream = await connect(0, 'stream-left', '/chat/stream');
  json.leave();
  stream.leave();
  await untilState(json.requestId, 'cancelled');
  await eventually(() => expect(stack.callsFor('json-left')[0]?.aborted).toBe(true));
  expect(stack.callsFor('stream-left')[0]?.aborted).toBe(false);
  held.release();
  await untilState(stream.requestId, 'completed');
  expect((await runOf(stream.requestId)).response?.answer).toBe(numberedText('stream-left', 20));
});

it('a run with on_disconnect: cancel continues if its stream client comes back on the other gateway', async () => {
  holdAll();
  const policy = { on_disconnect: 'cancel' };
  const [back, away] = await Promise.all([
    connect(0, 'comes-back', '/chat/stream', policy),
    connect(0, 'stays-away', '/chat/stream', policy),
  ]);
  back.leave();
  away.leave();
  const again = await fetch(`${stack.gateways()[1]}/chat/${back.requestId}/stream`);
  // The other run shows that the grace period is over for both.
  await untilState(away.requestId, 'cancelled');
  held.release();
  const events = await collectEvents(again);
  expect(events.at(-1)?.event).toBe('completed');
  expect(stack.callsFor('comes-back')).toHaveLength(1);
});

it('two concurrent cancels on two gateways return the same response and affect no other run', async () => {
  holdAll();
  const message = questionOf('spared');
  const spared = await followStream(stack.gateways, { message });
  const doomed = await followStream(stack.gateways, { message: questionOf('doomed') });
  await eventually(() => expect(stack.callsFor('doomed').concat(stack.callsFor('spared'))).toHaveLength(2));
  const [first, second] = await Promise.all([cancel(0, doomed.requestId), cancel(1, doomed.requestId)]);
  expect(second).toEqual(first);
  expect(first).toMatchObject({ state: 'cancelled', tokens_used: { total: expect.any(Number) } });
  const finished = await doomed.finished;
  expect({ state: finished.end.event, ...(JSON.parse(finished.end.data) as object) }).toEqual(first);
  expect(await cancel(0, doomed.requestId)).toEqual(first);
  await eventually(() => expect(stack.callsFor('doomed')[0]?.aborted).toBe(true));
  expect(stack.callsFor('spared')[0]?.aborted).toBe(false);
  held.release();
  expectOneAnswer(await spared.finished, numberedText('spared', 20));
});

it('a run that is cancelled after it lost its worker ends once, without another model call', async () => {
  holdAll();
  const followed = await followStream(stack.gateways, { message: questionOf('orphaned') });
  await eventually(() => expect(stack.callsFor('orphaned')).toHaveLength(1));
  await stack.callsFor('orphaned')[0]?.agent?.kill('SIGKILL');
  const answers = await Promise.all([cancel(0, followed.requestId), cancel(1, followed.requestId)]);
  for (const { state } of answers) expect(['cancelling', 'cancelled']).toContain(state);
  const finished = await followed.finished;
  expect(finished.end.event).toBe('cancelled');
  expect(finished.events.filter(({ event }) => event === 'cancelled')).toHaveLength(1);
  expect(await cancel(1, followed.requestId)).toMatchObject({ state: 'cancelled' });
  expect(stack.callsFor('orphaned')).toHaveLength(1);
  // A later follower receives the same outcome, once.
  const late = await collectEvents(await fetch(`${stack.gateways()[1]}/chat/${followed.requestId}/stream`));
  expect(late.filter(({ event }) => event === 'cancelled')).toHaveLength(1);
});
