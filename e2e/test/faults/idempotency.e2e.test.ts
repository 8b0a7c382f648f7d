import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { chatResponseSchema, errorEnvelopeSchema } from '@quire/shared/contracts';
import { collectEvents, eventually, startPrivateRedis, type PrivateStore } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { holdAnswer } from './held-answer.js';
import { numberedText, questionOf } from './numbered-answer.js';
import { startTwoOfEach, type TwoOfEach } from './two-of-each.js';

let redis: PrivateStore;
let stack: TwoOfEach;
beforeAll(async () => {
  redis = await startPrivateRedis();
  stack = await startTwoOfEach({ REDIS_URL: redis.url });
});
afterEach(() => stack.providers.reset());
afterAll(async () => {
  await stack.close();
  await redis.cleanup();
});

const post = (
  gateway: number,
  body: object,
  key: string,
  path = '/chat',
  headers: Record<string, string> = {},
) =>
  fetch(`${stack.gateways()[gateway]}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
    body: JSON.stringify(body),
  });

/** Sends a question and breaks the connection before any answer can arrive. */
async function postAndVanish(gateway: number, body: object, key: string, until: () => Promise<unknown>) {
  const request = httpRequest(`${stack.gateways()[gateway]}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  });
  request.on('error', () => {});
  request.end(JSON.stringify(body));
  await once(request, 'finish');
  await until();
  request.destroy();
}

it('an Idempotency-Key used on both gateways at once makes one run and one model call, in twenty rounds', async () => {
  const rounds = Array.from({ length: 20 }, (_, i) => `same-${i}`);
  const answers = await Promise.all(
    rounds.map(async (tag) => {
      const body = { message: questionOf(tag, 3) };
      const responses = await Promise.all([post(0, body, tag), post(1, body, tag)]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      return Promise.all(responses.map(async (response) => chatResponseSchema.parse(await response.json())));
    }),
  );
  for (const [i, [first, second]] of answers.entries()) {
    expect(second).toEqual(first);
    expect(first?.answer).toBe(numberedText(rounds[i] ?? '', 3));
    expect(stack.callsFor(rounds[i] ?? '')).toHaveLength(1);
  }
});

it.each(['at once', 'when the model has been asked'])(
  'a question repeated after its response was lost %s returns the same run',
  async (when) => {
    const tag = `lost-${when.length}`;
    const held = holdAnswer();
    stack.providers.chat.byDefault(held.behaviour);
    const body = { message: questionOf(tag) };
    await postAndVanish(0, body, tag, async () => {
      if (when !== 'at once') await eventually(() => expect(stack.callsFor(tag)).toHaveLength(1));
    });
    const again = post(1, body, tag);
    await eventually(() => expect(stack.callsFor(tag)).toHaveLength(1));
    held.release();
    const response = await again;
    expect(response.status).toBe(200);
    expect(chatResponseSchema.parse(await response.json()).answer).toBe(numberedText(tag, 20));
    const third = await post(0, body, tag);
    expect(third.headers.get('idempotent-replayed')).toBe('true');
    expect(third.headers.get('x-request-id')).toBe(response.headers.get('x-request-id'));
    expect(stack.callsFor(tag)).toHaveLength(1);
  },
);

it('an Idempotency-Key replays its run as a stream, from the start or after Last-Event-ID, on either gateway', async () => {
  const body = { message: questionOf('replayed') };
  const asked = await collectEvents(await post(0, body, 'replayed', '/chat/stream'));
  const whole = await collectEvents(await post(1, body, 'replayed', '/chat/stream'));
  expect(whole).toEqual(asked);
  const position = asked[2]?.id ?? '';
  const rest = await collectEvents(
    await post(1, body, 'replayed', '/chat/stream', { 'last-event-id': position }),
  );
  expect(rest).toEqual(asked.slice(3));
  expect(stack.callsFor('replayed')).toHaveLength(1);
});

it('an Idempotency-Key with another body is a 409 and starts no run', async () => {
  expect((await post(0, { message: questionOf('first') }, 'taken')).status).toBe(200);
  const other = await post(1, { message: questionOf('second') }, 'taken');
  expect(other.status).toBe(409);
  expect(errorEnvelopeSchema.parse(await other.json()).error_code).toBe('IDEMPOTENCY_CONFLICT');
  expect(stack.callsFor('second')).toEqual([]);
});

it('an Idempotency-Key whose question the queue refused starts a run once the queue is back', async () => {
  const body = { message: questionOf('refused') };
  // Redis is full, not away: the row with the key is inserted before the enqueue fails.
  await stack.redis.config('SET', 'maxmemory', '1');
  const refused = await post(0, body, 'refused');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  const { request_id } = errorEnvelopeSchema.parse(await refused.json());
  const row = await fetch(`${stack.gateways()[1]}/chat/${request_id}`);
  expect(await row.json()).toMatchObject({ state: 'failed' });
  await stack.redis.config('SET', 'maxmemory', '0');
  await eventually(async () => {
    const response = await post(1, body, 'refused');
    expect(response.status).toBe(200);
    expect(chatResponseSchema.parse(await response.json()).answer).toBe(numberedText('refused', 20));
  });
  expect(stack.callsFor('refused')).toHaveLength(1);
});
