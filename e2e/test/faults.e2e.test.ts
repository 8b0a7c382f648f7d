import { errorEnvelopeSchema } from '@quire/shared/contracts';
import { answer, failWith, startScriptedProviders } from '@quire/scripted-providers';
import { collectEvents, eventually, startPrivateQdrant, textOf } from '@quire/testkit';
import { afterEach, expect, it } from 'vitest';
import { startQuire, type QuireProcesses } from './quire-processes.js';

const question = { message: 'How do ROS 2 nodes exchange messages on topics?' };
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function quireWithBook(env: Record<string, string> = {}) {
  const providers = await startScriptedProviders();
  cleanups.push(() => providers.close());
  const quire: QuireProcesses = await startQuire({
    GEMINI_API_KEY: 'key',
    GEMINI_BASE_URL: providers.geminiBaseUrl,
    GEMINI_MODELS: 'only',
    EMBEDDER: 'openai',
    EMBEDDING_API_KEY: 'key',
    EMBEDDING_BASE_URL: providers.openaiBaseUrl,
    CONFIDENCE_PRESET: 'lenient',
    ...env,
  });
  cleanups.push(() => quire.close());
  await quire.quire(
    'ingest',
    'books/physical-ai/docs/ros2',
    '--base-url',
    'https://physical-ai.example/docs/ros2',
  );
  return { quire, providers };
}

it('answers 503 RETRIEVAL_UNAVAILABLE with Retry-After while Qdrant is away, and answers again when it is back', async () => {
  const qdrant = await startPrivateQdrant();
  cleanups.push(() => qdrant.cleanup());
  const { quire } = await quireWithBook({ QDRANT_URL: qdrant.url });
  await qdrant.kill();
  const refused = await quire.ask(question);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(errorEnvelopeSchema.parse(await refused.json()).error_code).toBe('RETRIEVAL_UNAVAILABLE');
  const stream = await collectEvents(await quire.ask(question, '/chat/stream'));
  expect(stream.at(-1)?.event).toBe('failed');
  expect(JSON.parse(stream.at(-1)?.data ?? '')).toMatchObject({ error_code: 'RETRIEVAL_UNAVAILABLE' });
  await qdrant.restart();
  await eventually(async () => expect((await quire.ask(question)).status).toBe(200), { timeoutMs: 20_000 });
});

it('answers 200 retrieval_only with real sources while Gemini is away', async () => {
  const { quire, providers } = await quireWithBook();
  providers.chat.byDefault(failWith(503));
  const response = await quire.ask(question);
  expect(response.status).toBe(200);
  const body = (await response.json()) as { answer: null; sources: unknown[]; metadata: object };
  expect(body).toMatchObject({ answer: null, metadata: { mode: 'retrieval_only' } });
  expect(body.sources.length).toBeGreaterThan(0);
});

it('finishes a run on another agent worker when its own is killed in the middle, and shows one answer', async () => {
  const { quire, providers } = await quireWithBook();
  const text = 'Values from 0 to 101 are safe [1]. '.repeat(20).trim();
  providers.chat.byDefault(answer(text, { tokenMs: 25 }));
  const response = await quire.ask(question, '/chat/stream');
  const events = collectEvents(response);
  await eventually(() => expect(providers.chat.requests.length).toBeGreaterThan(0));
  await quire.start('agent-worker');
  await quire.processes.find((service) => service.name === 'agent-worker')?.kill('SIGKILL');
  const seen = await events;
  expect(seen.map((event) => event.event)).toContain('reset');
  expect(seen.at(-1)?.event).toBe('completed');
  expect(textOf(seen)).toBe(text);
});

it('stops every process cleanly on SIGTERM', async () => {
  const { quire } = await quireWithBook();
  await Promise.all(quire.processes.map((service) => service.kill('SIGTERM')));
  expect(quire.processes.map(({ name, child }) => `${name} ${child.exitCode}`).sort()).toEqual([
    'agent-worker 0',
    'gateway 0',
    'retrieval-worker 0',
  ]);
});

it('says every problem of its configuration at once and does not start', async () => {
  await expect(startQuire({ REDIS_URL: 'nonsense', LOG_LEVEL: 'loud' })).rejects.toThrow(
    /REDIS_URL: [^]*LOG_LEVEL: /,
  );
});
