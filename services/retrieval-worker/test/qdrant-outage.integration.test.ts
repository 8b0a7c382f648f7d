import { randomUUID } from 'node:crypto';
import { redisKeys } from '@quire/shared/redis';
import { dropIndex, startPrivateQdrant, type PrivateStore } from '@quire/testkit';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRetrievalJob, settled, startWorker, type RunningWorker } from './running-worker.js';

let qdrant: PrivateStore;
let worker: RunningWorker;
const page = { path: 'ros2/qos.md', markdown: '# Quality of Service\n\nQuality of service has policies.' };

beforeAll(async () => {
  qdrant = await startPrivateQdrant();
  worker = await startWorker({ QDRANT_URL: qdrant.url });
  await worker.ingest(page);
});
afterAll(async () => {
  await worker.stop();
  await qdrant.cleanup();
});

it('a question is tried three times and refused with RETRIEVAL_UNAVAILABLE while Qdrant is away, and works when it is back', async () => {
  expect((await worker.search({})).chunks).toHaveLength(1);
  await qdrant.kill('SIGKILL');
  await expect(worker.search({})).rejects.toMatchObject({ code: 'RETRIEVAL_UNAVAILABLE' });

  const jobId = randomUUID();
  await worker.queues.retrieval.add(jobId, aRetrievalJob());
  const stored = await settled(worker.queues.retrieval, jobId);
  expect(stored).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^RETRIEVAL_UNAVAILABLE/) as string,
  });
  const raw = new Queue('retrieval', {
    connection: worker.redis,
    prefix: redisKeys.queuePrefix('retrieval'),
  });
  expect(await raw.getJob(jobId)).toMatchObject({ attemptsMade: 3 });
  await raw.close();

  await qdrant.restart();
  expect((await worker.search({})).chunks).toHaveLength(1);
});

it('a page that is enqueued while Qdrant is away is ingested when it is back', async () => {
  await qdrant.kill('SIGKILL');
  const ingested = worker.ingest({ path: 'ros2/later.md', markdown: '# Later\n\nPatience is a virtue.' });
  const [result] = await Promise.all([ingested, qdrant.restart()]);
  expect(result).toMatchObject({ path: 'ros2/later.md', chunks: 1 });
});

it('searches in a deleted index are empty, and the next page creates a new one', async () => {
  await dropIndex(worker.env['QDRANT_COLLECTION'] ?? '', qdrant.url);
  expect(await worker.search({})).toMatchObject({
    chunks: [],
    confidence: { confidence_level: 'insufficient' },
  });
  await worker.ingest(page);
  expect((await worker.search({})).chunks).toHaveLength(1);
});
