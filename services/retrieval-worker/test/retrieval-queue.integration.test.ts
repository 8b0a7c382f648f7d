import { randomUUID } from 'node:crypto';
import { redisKeys } from '@quire/shared/redis';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { aRetrievalJob, baseUrl, settled, startWorker, type RunningWorker } from './running-worker.js';

const pages = [
  {
    path: 'ros2/qos.md',
    markdown: '# Quality of Service\n\nQuality of service decides whether publisher and subscription match.',
  },
  {
    path: 'ros2/copy.md',
    markdown: '# Copy\n\nQuality of service decides whether publisher and subscription match.',
  },
  { path: 'simulation/gazebo.md', markdown: '# Gazebo\n\nGazebo is a simulator with sensors and worlds.' },
];

let worker: RunningWorker;

beforeAll(async () => {
  worker = await startWorker();
  await Promise.all(pages.map((page) => worker.ingest(page)));
});
beforeEach(() => worker.providers.reset());
afterAll(() => worker.stop());

it('a result is published on the reply channel of the asking process, best passage first', async () => {
  const result = await worker.search({ query: 'How does a simulator like Gazebo use sensors?' });
  expect(result.chunks[0]).toMatchObject({ url: `${baseUrl}/simulation/gazebo`, module: 'simulation' });
  expect(result.confidence).toMatchObject({ num_chunks: result.chunks.length, should_answer: true });
  expect(result.confidence.max_similarity).toBe(result.chunks[0]?.similarity);
  expect(result.timings_ms.total).toBeGreaterThanOrEqual(
    result.timings_ms.embedding + result.timings_ms.search,
  );
});

it('a result is stored in its job as well', async () => {
  const jobId = randomUUID();
  await worker.queues.retrieval.add(jobId, aRetrievalJob({ query: 'quality of service', top_k: 1 }));
  const stored = await settled(worker.queues.retrieval, jobId);
  expect(stored).toMatchObject({
    state: 'completed',
    result: { chunks: [{ text: expect.stringMatching(/^Quality of service/) as string }] },
  });
});

it('a text on several pages is one passage of a result', async () => {
  const { chunks } = await worker.search({ query: 'quality of service publisher subscription' });
  const hashes = chunks.map(({ content_hash: hash }) => hash);
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(chunks.filter(({ text }) => text.startsWith('Quality'))).toHaveLength(1);
});

it('a result is limited by module, URL prefix, threshold and top_k', async () => {
  const urlsOf = async (query: Parameters<RunningWorker['search']>[0]) =>
    (await worker.search({ query: 'quality of service in the Gazebo simulator', ...query })).chunks.map(
      ({ url }) => url,
    );
  expect(await urlsOf({ filters: { module: 'simulation' } })).toEqual([`${baseUrl}/simulation/gazebo`]);
  expect(await urlsOf({ filters: { url_prefix: '/docs/simulation' } })).toEqual([
    `${baseUrl}/simulation/gazebo`,
  ]);
  expect(await urlsOf({ filters: { module: 'vla' } })).toEqual([]);
  expect(await urlsOf({ top_k: 1 })).toHaveLength(1);
  expect(await urlsOf({ similarity_threshold: 1 })).toEqual([]);
});

it('a job whose deadline has passed is dropped before its question is embedded', async () => {
  const jobId = randomUUID();
  await worker.queues.retrieval.add(jobId, aRetrievalJob({ deadline_at: Date.now() - 1 }));
  const stored = await settled(worker.queues.retrieval, jobId);
  expect(stored).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^DEADLINE_EXCEEDED/) as string,
  });
  expect(worker.providers.embeddings.requests).toHaveLength(0);
});

it('a job is aborted when its deadline passes', async () => {
  worker.providers.embeddings.enqueue({ kind: 'vectors', stall: true });
  await expect(worker.search({ query: randomUUID() }, Date.now() + 300)).rejects.toMatchObject({
    code: 'DEADLINE_EXCEEDED',
  });
  await expect.poll(() => worker.providers.embeddings.requests[0]?.aborted).toBe(true);
});

it('every passage has its cosine, whether it was found by vector or by words', async () => {
  // The scripted embedder does not know meanings, so only the word is certain to find the page.
  const { chunks } = await worker.search({ query: 'Gazebo', similarity_threshold: 0 });
  expect(chunks[0]).toMatchObject({ url: `${baseUrl}/simulation/gazebo` });
  for (const { similarity } of chunks) expect(similarity).toBeGreaterThanOrEqual(0);
  expect(chunks[0]?.similarity).toBeGreaterThan(0);
});

it.each([
  ['dense', 'zyzzyva', 2],
  ['sparse', 'zyzzyva', 0],
  ['sparse', 'Gazebo', 1],
] as const)('a search by %s alone for "%s" finds %i passages', async (mode, query, count) => {
  const { chunks } = await worker.search({ query, mode, similarity_threshold: 0 });
  expect(chunks).toHaveLength(count);
});

it('a job with an invalid payload fails without a retry and is kept for inspection', async () => {
  const raw = new Queue('retrieval', {
    connection: worker.redis,
    prefix: redisKeys.queuePrefix('retrieval'),
  });
  const jobId = randomUUID();
  await raw.add('retrieval', { query: 7 }, { jobId, attempts: 3 });
  const stored = await settled(worker.queues.retrieval, jobId);
  expect(stored).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^INVALID_PAYLOAD/) as string,
  });
  expect(await raw.getJob(jobId)).toMatchObject({ attemptsMade: 1, data: { query: 7 } });
  await raw.close();
});
