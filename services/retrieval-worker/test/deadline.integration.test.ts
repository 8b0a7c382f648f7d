import { randomUUID } from 'node:crypto';
import { jobFields, jobKey } from '@quire/shared/jobs';
import { dropIndex, eventually } from '@quire/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startQdrantProxy, type QdrantProxy } from './qdrant-proxy.js';
import { aRetrievalJob, startWorker, type RunningWorker } from './running-worker.js';

let qdrant: QdrantProxy;
let worker: RunningWorker;

beforeEach(async () => {
  qdrant = await startQdrantProxy();
  worker = await startWorker({ QDRANT_URL: qdrant.url, RETRIEVAL_NEIGHBOURS: 'true' });
  await worker.ingest({ path: 'robots.md', markdown: '# Robots\n\nRobots are made of parts.' });
});
afterEach(async () => {
  qdrant.release();
  await worker.stop();
  await qdrant.close();
});

const removeIndex = () => dropIndex(worker.env['QDRANT_COLLECTION'] ?? '');

it.each([
  ['the search', '/points/query', () => Promise.resolve()],
  ['the neighbours', '/points/scroll', () => Promise.resolve()],
  ['the check for a new index', '/aliases', removeIndex],
])('a job whose Qdrant stalls at %s ends at its deadline', async (_, path, prepare) => {
  qdrant.hold(path);
  await prepare();
  const jobId = randomUUID();
  await worker.queues.retrieval.add(jobId, aRetrievalJob({ deadline_at: Date.now() + 800 }));
  await eventually(() => expect(qdrant.held()).toBeGreaterThan(0));
  await eventually(async () =>
    expect(await worker.queues.retrieval.find(jobId)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/^DEADLINE_EXCEEDED/) as string,
    }),
  );
  // A request that times out by itself has the job retried, after its deadline.
  expect(await worker.redis.hget(jobKey('retrieval', jobId), jobFields.takes)).toBe('1');
});
