import { randomUUID } from 'node:crypto';
import { failWith, ranking } from '@quire/scripted-providers';
import { afterEach, expect, it } from 'vitest';
import { startWorker, type RunningWorker } from './running-worker.js';

const page = {
  path: 'sim/gazebo.md',
  markdown:
    '# Gazebo\n\n## Worlds\n\nGazebo worlds hold robots and light.\n\n## Sensors\n\nGazebo sensors publish at fixed rates.',
};
let worker: RunningWorker | undefined;
const start = async (env: Record<string, string> = {}): Promise<RunningWorker> => {
  worker = await startWorker(env);
  await worker.ingest(page);
  return worker;
};
/** Never cached. */
const question = (words: string) => `${words} ${randomUUID()}`;

afterEach(() => worker?.stop());

it('a search without its embedder uses words only, is marked as degraded, and has low confidence and no similarity', async () => {
  const { search, providers } = await start();
  providers.embeddings.enqueue(failWith(503), failWith(503));
  const result = await search({ query: question('Which rates do sensors publish at?') });
  expect(result).toMatchObject({
    degraded_reason: 'embedding_unavailable',
    confidence: { confidence_level: 'low', should_answer: true, average_similarity: 0 },
  });
  expect(result.chunks[0]).toMatchObject({ section: 'Sensors', similarity: 0 });
});

it('a search whose embedder refuses the key uses words only, and the embedder is not called for every question', async () => {
  const { search, providers } = await start();
  providers.reset();
  providers.embeddings.byDefault(failWith(401));
  for (const words of ['sensors', 'worlds', 'robots']) {
    expect(await search({ query: question(words) })).toMatchObject({
      degraded_reason: 'embedding_unavailable',
    });
  }
  expect(providers.embeddings.requests).toHaveLength(1);
});

it('a single failure of the embedder is retried and does not degrade the search', async () => {
  const { search, providers } = await start();
  providers.embeddings.enqueue(failWith(503));
  const result = await search({ query: question('sensors') });
  expect(result).not.toHaveProperty('degraded_reason');
  expect(result.chunks).not.toHaveLength(0);
});

it('a search without its embedder in which no words match is insufficient', async () => {
  const { search, providers } = await start();
  providers.embeddings.byDefault(failWith(503));
  expect(await search({ query: 'zyzzyva' })).toMatchObject({
    chunks: [],
    confidence: { confidence_level: 'insufficient', should_answer: false },
  });
});

const startReranked = () =>
  start({ EMBEDDER: 'openai', COHERE_API_KEY: 'key', COHERE_RERANK_MODEL: 'rerank-v4.0' });

it('the reranker decides the order of the passages', async () => {
  const { search, providers } = await startReranked();
  providers.rerank.enqueue(ranking({ scores: [0.1, 0.9] }));
  const { chunks } = await search({ query: 'Gazebo worlds robots light', similarity_threshold: 0 });
  expect(chunks.map(({ section }) => section)).toEqual(['Sensors', 'Worlds']);
  expect(providers.rerank.requests[0]?.body.documents).toHaveLength(2);
});

it('a search without its reranker keeps the fused order and is marked as degraded', async () => {
  const { search, providers } = await startReranked();
  providers.rerank.enqueue(failWith(500));
  const result = await search({ query: 'Gazebo worlds robots light', similarity_threshold: 0 });
  expect(result.chunks.map(({ section }) => section)).toEqual(['Worlds', 'Sensors']);
  expect(result.degraded_reason).toBe('rerank_unavailable');
});

it.each([
  ['asks to be left alone', failWith(429, { retryAfterSeconds: 30 })],
  ['refuses the key', failWith(401)],
])('a reranker that %s is not called for every question', async (_, behaviour) => {
  const { search, providers } = await startReranked();
  providers.rerank.byDefault(behaviour);
  for (const query of ['Gazebo worlds', 'Gazebo sensors', 'Gazebo robots']) {
    expect(await search({ query, similarity_threshold: 0 })).toMatchObject({
      degraded_reason: 'rerank_unavailable',
    });
  }
  expect(providers.rerank.requests).toHaveLength(1);
});

it('a reranker that hangs delays one question by its time limit, and not the next ones', async () => {
  const { search, providers } = await startReranked();
  providers.rerank.byDefault(ranking({ stall: true }));
  for (const query of ['Gazebo worlds', 'Gazebo sensors']) {
    expect(await search({ query, similarity_threshold: 0 })).toMatchObject({
      degraded_reason: 'rerank_unavailable',
    });
  }
  expect(providers.rerank.requests).toHaveLength(1);
});
