import { chatResponseSchema } from '@quire/shared/contracts';
import { createLogger } from '@quire/shared/logging';
import { connectRedis, redisKeys } from '@quire/shared/redis';
import {
  answer,
  cutAfter,
  failWith,
  malformedAfter,
  refuse,
  stallAfter,
  startScriptedProviders,
  type ChatBehaviour,
  type ScriptedProviders,
} from '@quire/scripted-providers';
import { collectEvents, dropIndex } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startQuire, type QuireProcesses } from './quire-processes.js';

const WHOLE = 'Nodes publish on topics [1].';
const long = `${'Nodes publish on topics [1]. '.repeat(20)}End.`;
const failures: [title: string, behaviour: ChatBehaviour][] = [
  ['refuses connections', refuse()],
  ['answers 500', failWith(500)],
  ['answers 503', failWith(503)],
  ['answers 429', failWith(429, { retryAfterSeconds: 0.2 })],
  ['answers 401', failWith(401)],
  ['answers 404 for its name', failWith(404)],
  ['is cut before the first token', cutAfter(0, long)],
  ['is cut after one token', cutAfter(1, long)],
  ['is cut after 50 tokens', cutAfter(50, long)],
  ['stalls before the first token', stallAfter(0, long)],
  ['stalls after the first token', stallAfter(1, long)],
  ['sends garbage', malformedAfter(3, long)],
];

let providers: ScriptedProviders;
let quire: QuireProcesses;
let redis: Redis;
beforeAll(async () => {
  providers = await startScriptedProviders();
  quire = await startQuire({
    GEMINI_API_KEY: 'key',
    GEMINI_BASE_URL: providers.geminiBaseUrl,
    GEMINI_MODELS: 'first,second',
    GEMINI_FIRST_TOKEN_TIMEOUT_MS: '300',
    GEMINI_IDLE_TIMEOUT_MS: '300',
    EMBEDDER: 'openai',
    EMBEDDING_API_KEY: 'key',
    EMBEDDING_BASE_URL: providers.openaiBaseUrl,
    CONFIDENCE_PRESET: 'lenient',
  });
  redis = connectRedis(quire.env['REDIS_URL'] ?? '', 'worker', createLogger('test', 'silent'));
  const book = ['books/physical-ai/docs/ros2', '--base-url', 'https://physical-ai.example/docs/ros2'];
  expect(await quire.quire('ingest', ...book)).toMatchObject({ code: 0 });
}, 120_000);
afterEach(async () => {
  const breakers = await redis.keys(redisKeys.modelBreaker('*'));
  if (breakers.length > 0) await redis.del(breakers);
  providers.reset();
});
afterAll(async () => {
  redis.disconnect();
  await quire.close();
  await providers.close();
  await dropIndex(quire.env['QDRANT_COLLECTION'] ?? '');
});

/** The outcome, and the text as a client holds it that starts anew at each reset. */
async function streamed() {
  const response = await quire.ask(
    { message: 'How do ROS 2 nodes exchange messages on topics?' },
    '/chat/stream',
  );
  const events = await collectEvents(response);
  const shown = events.reduce((text, { event, data }) => {
    if (event === 'reset') return '';
    return event === 'delta' ? text + (JSON.parse(data) as { text: string }).text : text;
  }, '');
  const last = events.at(-1);
  expect(last?.event).toBe('completed');
  return { shown, outcome: chatResponseSchema.parse(JSON.parse(last?.data ?? '')) };
}

async function expectSourcesAlone() {
  const { shown, outcome } = await streamed();
  expect(outcome).toMatchObject({ answer: null, metadata: { mode: 'retrieval_only', model: null } });
  expect(outcome.sources.length).toBeGreaterThan(0);
  expect(shown).toBe('');
}

describe.each(failures)('while a model %s', (_title, behaviour) => {
  it('a stream ends with the answer of the next one', async () => {
    providers.chat.byDefault(({ model }) => (model === 'first' ? behaviour : answer(WHOLE)));
    const { shown, outcome } = await streamed();
    expect(outcome).toMatchObject({ answer: WHOLE, metadata: { mode: 'full', model: 'second' } });
    expect(shown).toBe(WHOLE);
  });

  it('and the next one too, a stream ends with the sources', async () => {
    providers.chat.byDefault(behaviour);
    await expectSourcesAlone();
  });

  it('and the breaker keeps the other one away, a stream ends with the sources', async () => {
    providers.chat.enqueue(failWith(401), answer(WHOLE));
    await streamed();
    providers.reset();
    providers.chat.byDefault(behaviour);
    await expectSourcesAlone();
    expect(new Set(providers.chat.requests.map(({ body }) => body.model))).toEqual(new Set(['second']));
  });
});
