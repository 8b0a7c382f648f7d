import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openQueue } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { connectRedis } from '@quire/shared/redis';
import { answer, startScriptedProviders, toolCall, type ScriptedProviders } from '@quire/scripted-providers';
import { collectEvents, eventually, qdrantUrl, startTcpProxy, textOf, type TcpProxy } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { scriptedEmbedding, startAnsweringQuire, type AnsweringQuire } from './answering-quire.js';
import { startQuire } from './quire-processes.js';

const QUESTION = 'How do ROS 2 nodes exchange messages on topics?';
let providers: ScriptedProviders;
let qdrant: TcpProxy;
let quire: AnsweringQuire;

beforeAll(async () => {
  qdrant = await startTcpProxy(qdrantUrl());
  quire = await startAnsweringQuire({ GEMINI_MODELS: 'only', QDRANT_URL: qdrant.url });
  ({ providers } = quire);
});
afterEach(() => providers.reset());
afterAll(async () => {
  await quire.close();
  await qdrant.close();
});

it('a model that searches again cites passages of the real index', async () => {
  providers.chat.enqueue(
    toolCall('search_book_content', { query: 'durability transient local', limit: 2 }),
    ({ messages }) => {
      const found = JSON.stringify(messages.find(({ role }) => role === 'tool'));
      const number = /\[(\d+)\] /.exec(found)?.[1];
      return answer(`Late subscribers get the last message [${number}].`);
    },
  );
  const { answer: text, sources, metadata } = await quire.answerTo({ message: QUESTION, top_k: 1 });
  expect(text).toBe('Late subscribers get the last message [1].');
  expect(sources).toMatchObject([
    { marker: 1, source_url: expect.stringContaining('quality-of-service') as string },
  ]);
  expect(metadata).toMatchObject({ mode: 'full', model: 'only' });
});

it('follow-ups of a conversation are rewritten and stay in its thread', async () => {
  const session_id = randomUUID();
  await quire.answerTo({ session_id, message: 'What is quality of service?' });
  providers.chat.enqueue(answer('What is transient local durability?'), answer('It keeps messages [1].'));
  const { metadata, sources } = await quire.answerTo({ session_id, message: 'And durability?' });
  expect(metadata.rewritten_query).toBe('What is transient local durability?');
  expect(sources[0]).toMatchObject({ source_url: expect.stringContaining('quality-of-service') as string });
  const { threads } = (await (await fetch(`${quire.gateways[0]}/threads`)).json()) as {
    threads: { session_id: string; message_count: number }[];
  };
  expect(threads[0]).toMatchObject({ session_id, message_count: 4 });
});

it('a question about selected text embeds nothing, searches nothing and needs no Qdrant', async () => {
  const redis = connectRedis(quire.env['REDIS_URL'] ?? '', 'request', createLogger('test', 'silent'));
  const queue = openQueue('retrieval', redis);
  const jobs = await queue.counts();
  const workers = quire.processes.filter(({ name }) => name === 'retrieval-worker');
  for (const { child } of workers) child.kill('SIGSTOP');
  await qdrant.cut();
  providers.chat.enqueue(answer('It publishes [2].'));
  const selected_text = 'A node is a process. It publishes messages on topics.';
  const { sources, metadata } = await quire.answerTo({ message: 'What does it do?', selected_text });
  expect(metadata.mode).toBe('selected_text');
  expect(sources).toMatchObject([{ source_type: 'selected_text', char_start: 21, char_end: 53 }]);
  expect(providers.embeddings.requests).toHaveLength(0);
  expect(await queue.counts()).toEqual(jobs);
  await qdrant.restore();
  for (const { child } of workers) child.kill('SIGCONT');
  await queue.close();
  redis.disconnect();
});

it.each(['', '   \n\t '])('an empty selection (%j) is a 400', async (selected_text) => {
  const response = await quire.ask({ message: 'What does it do?', selected_text });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error_code: 'INVALID_REQUEST',
    details: [{ path: 'selected_text' }],
  });
});

it('DELETE aborts the model call of an executing run and returns the tokens it spent', async () => {
  providers.chat.enqueue(answer('word '.repeat(500), { tokenMs: 20 }));
  const stream = quire.ask({ message: QUESTION }, '/chat/stream');
  const request_id = (await stream).headers.get('x-request-id') ?? '';
  const events = collectEvents(await stream);
  await eventually(() => expect(providers.chat.requests).toHaveLength(1));
  await sleep(200);
  const cancelled = await fetch(`${quire.gateways[0]}/chat/${request_id}`, { method: 'DELETE' });
  expect(cancelled.status).toBe(200);
  const body = (await cancelled.json()) as { state: string; tokens_used: { total: number } };
  expect(body).toMatchObject({ request_id, state: 'cancelled' });
  expect(body.tokens_used.total).toBeGreaterThan(0);
  expect((await events).at(-1)?.event).toBe('cancelled');
  expect(textOf(await events).length).toBeGreaterThan(0);
  await eventually(() => expect(providers.chat.requests).toMatchObject([{ aborted: true }]));
});

it('/health shows a wrong model key as misconfigured, and callers still get sources', async () => {
  const wrong = await startScriptedProviders({ requireApiKey: 'right' });
  const other = await startQuire({
    ...scriptedEmbedding(providers),
    GEMINI_BASE_URL: wrong.geminiBaseUrl,
    GEMINI_API_KEY: 'wrong',
    QDRANT_COLLECTION: quire.env['QDRANT_COLLECTION'] ?? '',
  });
  for (let run = 0; run < 2; run += 1) {
    const response = await other.ask({ message: QUESTION });
    expect(await response.json()).toMatchObject({
      answer: null,
      metadata: { mode: 'retrieval_only', degraded_reason: 'model_misconfigured' },
    });
  }
  const health = (await (await fetch(`${other.gateways[0]}/health`)).json()) as { models: object };
  expect(JSON.stringify(health.models)).toContain('misconfigured');
  await other.close();
  await wrong.close();
});
