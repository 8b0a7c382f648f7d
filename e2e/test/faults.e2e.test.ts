import { failWith, startScriptedProviders } from '@quire/scripted-providers';
import { afterEach, expect, it } from 'vitest';
import { startQuire, type QuireProcesses } from './quire-processes.js';

const question = { message: 'How do ROS 2 nodes exchange messages on topics?' };
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function quireWithBook() {
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

it('a question returns 200 retrieval_only with real sources while Gemini is down', async () => {
  const { quire, providers } = await quireWithBook();
  providers.chat.byDefault(failWith(503));
  const response = await quire.ask(question);
  expect(response.status).toBe(200);
  const body = (await response.json()) as { answer: null; sources: unknown[]; metadata: object };
  expect(body).toMatchObject({ answer: null, metadata: { mode: 'retrieval_only' } });
  expect(body.sources.length).toBeGreaterThan(0);
});

it('every process exits with code 0 on SIGTERM', async () => {
  const { quire } = await quireWithBook();
  await Promise.all(quire.processes.map((service) => service.kill('SIGTERM')));
  expect(quire.processes.map(({ name, child }) => `${name} ${child.exitCode}`).sort()).toEqual([
    'agent-worker 0',
    'gateway 0',
    'retrieval-worker 0',
  ]);
});

it('a service with an invalid configuration lists every problem and does not start', async () => {
  await expect(startQuire({ REDIS_URL: 'nonsense', LOG_LEVEL: 'loud' })).rejects.toThrow(
    /REDIS_URL: [^]*LOG_LEVEL: /,
  );
});
