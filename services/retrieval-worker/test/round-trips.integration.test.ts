import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startQdrantProxy, type QdrantProxy } from './qdrant-proxy.js';
import { startWorker, type RunningWorker } from './running-worker.js';

const QUESTIONS = 16;
let qdrant: QdrantProxy;
let worker: RunningWorker;

beforeAll(async () => {
  qdrant = await startQdrantProxy();
  worker = await startWorker({ QDRANT_URL: qdrant.url });
  await worker.ingest({ path: 'a.md', markdown: 'Robots are made of parts.' });
});
beforeEach(() => void qdrant.takeRequests());
afterAll(async () => {
  await worker.stop();
  await qdrant.close();
});

/** Without the periodic reads of the alias. */
const searches = () => qdrant.takeRequests().filter((request) => request.includes('/points/'));

it.each(['hybrid', 'dense', 'sparse'] as const)(
  'a %s search is one request to Qdrant, whatever its filters',
  async (mode) => {
    const filters = { module: 'none', url_prefix: '/docs' };
    await worker.search({ query: `robots ${mode}`, mode, filters });
    expect(searches()).toEqual([expect.stringMatching(/^POST .*\/points\/query\/batch/)]);
  },
);

it('questions that arrive during a search share the next request', async () => {
  qdrant.hold('/points/query');
  const ask = (i: number) => worker.search({ query: `robots ${i}`, mode: 'sparse' });
  const asked = Array.from({ length: QUESTIONS }, (_, i) => ask(i));
  await expect.poll(() => worker.queues.retrieval.counts()).toMatchObject({ waiting: 0, active: QUESTIONS });
  await expect.poll(() => qdrant.held()).toBeGreaterThan(0);
  qdrant.release();
  for (const { chunks } of await Promise.all(asked)) expect(chunks).toHaveLength(1);
  expect(searches().length).toBeLessThanOrEqual(QUESTIONS / 2);
});
