import { randomUUID } from 'node:crypto';
import { cancellationSchema, type Cancellation } from '@quire/shared/contracts';
import { collectEvents, eventually } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { holdAnswer, type HeldAnswer } from './held-answer.js';
import { numberedText, questionOf } from './numbered-answer.js';
import { askForStory, expectOneAnswer } from './resuming-client.js';
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

/** A client that is there until the model has been asked, and whose run can be found by its key afterwards. */
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
  // A plain answer names its run when it comes; a stream of the same run does so at once.
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

it('a JSON client that leaves takes its run along after the grace; a stream client does not, and its run is stored', async () => {
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

it('a stream that is to be cancelled with its client goes on if the client comes back on the other gateway', async () => {
  holdAll();
  const policy = { on_disconnect: 'cancel' };
  const [back, away] = await Promise.all([
    connect(0, 'comes-back', '/chat/stream', policy),
    connect(0, 'stays-away', '/chat/stream', policy),
  ]);
  back.leave();
  away.leave();
  const again = await fetch(`${stack.gateways()[1]}/chat/${back.requestId}/stream`);
  // The other one shows that the grace is over for both.
  await untilState(away.requestId, 'cancelled');
  held.release();
  const events = await collectEvents(again);
  expect(events.at(-1)?.event).toBe('completed');
  expect(stack.callsFor('comes-back')).toHaveLength(1);
});

it('two cancels at once on two gateways give the same answer, and touch no other run', async () => {
  holdAll();
  const message = questionOf('spared');
  const spared = await askForStory(stack.gateways, { message });
  const doomed = await askForStory(stack.gateways, { message: questionOf('doomed') });
  await eventually(() => expect(stack.callsFor('doomed').concat(stack.callsFor('spared'))).toHaveLength(2));
  const [first, second] = await Promise.all([cancel(0, doomed.requestId), cancel(1, doomed.requestId)]);
  expect(second).toEqual(first);
  expect(first).toMatchObject({ state: 'cancelled', tokens_used: { total: expect.any(Number) } });
  const told = await doomed.told;
  expect({ state: told.end.event, ...(JSON.parse(told.end.data) as object) }).toEqual(first);
  expect(await cancel(0, doomed.requestId)).toEqual(first);
  await eventually(() => expect(stack.callsFor('doomed')[0]?.aborted).toBe(true));
  expect(stack.callsFor('spared')[0]?.aborted).toBe(false);
  held.release();
  expectOneAnswer(await spared.told, numberedText('spared', 20));
});

it('a run that is cancelled while it has lost its worker ends once, without another model call', async () => {
  holdAll();
  const story = await askForStory(stack.gateways, { message: questionOf('orphaned') });
  await eventually(() => expect(stack.callsFor('orphaned')).toHaveLength(1));
  await stack.callsFor('orphaned')[0]?.agent?.kill('SIGKILL');
  const answers = await Promise.all([cancel(0, story.requestId), cancel(1, story.requestId)]);
  for (const { state } of answers) expect(['cancelling', 'cancelled']).toContain(state);
  const told = await story.told;
  expect(told.end.event).toBe('cancelled');
  expect(told.events.filter(({ event }) => event === 'cancelled')).toHaveLength(1);
  expect(await cancel(1, story.requestId)).toMatchObject({ state: 'cancelled' });
  expect(stack.callsFor('orphaned')).toHaveLength(1);
  // A later follower receives the same outcome, once.
  const late = await collectEvents(await fetch(`${stack.gateways()[1]}/chat/${story.requestId}/stream`));
  expect(late.filter(({ event }) => event === 'cancelled')).toHaveLength(1);
});
