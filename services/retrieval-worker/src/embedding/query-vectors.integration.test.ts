import { failWith, vectors } from '@quire/scripted-providers';
import { DependencyUnavailable } from '@quire/shared/errors';
import { eventually } from '@quire/testkit';
import { beforeEach, expect, it } from 'vitest';
import { DIMENSIONS, startQuestionStores } from '../../test/open-questions.js';
import { ProviderMisconfigured } from '../providers/provider-failure.js';
import { TIME_LIMIT_MS } from '../time-limit.js';

const DAY_SECONDS = 24 * 60 * 60;

let stores: Awaited<ReturnType<typeof startQuestionStores>>;
let worker: Awaited<ReturnType<(typeof stores)['open']>>;

beforeEach(async () => {
  stores = await startQuestionStores();
  worker = await stores.open();
});

const askedTexts = () => stores.providers.embeddings.requests.map(({ body }) => body.texts);
async function storedKey(): Promise<string> {
  return eventually(async () => {
    const [key] = await worker.redis.keys('quire:query-vector:*');
    if (key === undefined) throw new Error('Nothing is stored yet');
    return key;
  });
}

it('the vector of a known question comes from memory, whatever its white space', async () => {
  const vector = await worker.vectorOf('What is QoS?');
  expect(vector).toHaveLength(DIMENSIONS);
  expect(await worker.vectorOf('  What is \n QoS? ')).toEqual(vector);
  expect(askedTexts()).toEqual([['What is QoS?']]);
  expect(await worker.sources()).toEqual({ embedder: 1, memory: 1 });
});

it('a caller that changes its vector does not change the one in memory', async () => {
  const vector = await worker.vectorOf('What is QoS?');
  const copy = [...vector];
  vector.fill(0);
  expect(await worker.vectorOf('What is QoS?')).toEqual(copy);
});

it('another process gets the same vector from Redis', async () => {
  const vector = await worker.vectorOf('What is QoS?');
  await storedKey();
  const other = await stores.open();
  expect(await other.vectorOf('What is QoS?')).toEqual(vector);
  expect(await other.vectorOf('What is QoS?')).toEqual(vector);
  expect(await other.sources()).toEqual({ redis: 1, memory: 1 });
  expect(askedTexts()).toHaveLength(1);
});

it('a vector stays in Redis for a day, with four bytes for each dimension', async () => {
  await worker.vectorOf('What is QoS?');
  const key = await storedKey();
  expect(await worker.redis.strlen(key)).toBe(4 * DIMENSIONS);
  const ttl = await worker.redis.ttl(key);
  expect(ttl).toBeLessThanOrEqual(DAY_SECONDS);
  expect(ttl).toBeGreaterThan(DAY_SECONDS - 60);
});

it('a known question is embedded again for another embedder', async () => {
  await worker.vectorOf('What is QoS?');
  await storedKey();
  const other = await stores.open(128);
  expect(await other.vectorOf('What is QoS?')).toHaveLength(128);
  expect(await other.sources()).toEqual({ embedder: 1 });
});

it('questions are embedded while Redis is away', async () => {
  await stores.proxy.cut();
  expect(await worker.vectorOf('What is QoS?')).toHaveLength(DIMENSIONS);
  expect(await worker.sources()).toEqual({ embedder: 1 });
});

it('questions do not wait for a Redis that hangs', async () => {
  stores.proxy.pause();
  const hanging = worker.redis.get('anything').then(
    () => 'Redis',
    () => 'Redis',
  );
  const question = worker.vectorOf('What is QoS?').then(() => 'question');
  expect(await Promise.race([question, hanging])).toBe('question');
});

it.each([
  ['bytes of another length', (key: string) => worker.redis.set(key, 'short')],
  ['a value of another kind', (key: string) => worker.redis.pipeline().del(key).lpush(key, 'x').exec()],
])('%s in Redis is a miss, and is replaced', async (_, corrupt) => {
  const vector = await worker.vectorOf('What is QoS?');
  const key = await storedKey();
  await corrupt(key);
  const other = await stores.open();
  expect(await other.vectorOf('What is QoS?')).toEqual(vector);
  expect(await other.sources()).toEqual({ embedder: 1 });
  await eventually(async () => expect(await worker.redis.strlen(key)).toBe(4 * DIMENSIONS));
});

it('equal questions at the same time are embedded once', async () => {
  const [first, ...others] = await Promise.all(
    ['What is QoS?', ' What is QoS?', 'What is QoS?'].map((question) => worker.vectorOf(question)),
  );
  expect(others).toEqual([first, first]);
  expect(askedTexts()).toEqual([['What is QoS?']]);
  expect(await worker.sources()).toEqual({ embedder: 1, flight: 2 });
});

it('different questions at the same time share calls', async () => {
  const questions = Array.from({ length: 40 }, (_, i) => `question ${i}`);
  const found = await Promise.all(questions.map((question) => worker.vectorOf(question)));
  expect(askedTexts().flat().toSorted()).toEqual(questions.toSorted());
  expect(askedTexts().length).toBeLessThanOrEqual(10);
  expect(new Set(found.map(String)).size).toBe(40);
});

it('a shared call is aborted when its last question is aborted, and not before', async () => {
  stores.providers.embeddings.byDefault(vectors({ stall: true }));
  const [first, second] = [new AbortController(), new AbortController()];
  const asking = [first, second].map(({ signal }) => worker.vectorOf('What is QoS?', signal));
  await eventually(() => expect(askedTexts()).toHaveLength(1));
  const reason = new Error('aborted by the caller');
  first.abort(reason);
  await expect(asking[0]).rejects.toBe(reason);
  expect(stores.providers.embeddings.requests[0]?.aborted).toBe(false);
  second.abort(reason);
  await expect(asking[1]).rejects.toBe(reason);
  // Before the time limit of the call.
  await eventually(() => expect(stores.providers.embeddings.requests[0]?.aborted).toBe(true), {
    timeoutMs: TIME_LIMIT_MS.query / 2,
  });
});

it.each([
  ['away', 503, DependencyUnavailable],
  ['misconfigured', 401, ProviderMisconfigured],
])(
  'an embedder that was %s is not called until its breaker lets one question probe it',
  async (_, status, kind) => {
    await worker.vectorOf('known');
    stores.providers.embeddings.byDefault(failWith(status));
    await expect(worker.vectorOf('new')).rejects.toBeInstanceOf(kind);
    const asked = askedTexts().length;
    await expect(worker.vectorOf('newer')).rejects.toBeInstanceOf(kind);
    expect(await worker.vectorOf('known')).toHaveLength(DIMENSIONS);
    expect(askedTexts()).toHaveLength(asked);
    stores.providers.embeddings.byDefault(vectors());
    expect(await eventually(() => worker.vectorOf('new'))).toHaveLength(DIMENSIONS);
  },
);
