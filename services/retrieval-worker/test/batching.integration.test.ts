import { vectors } from '@quire/scripted-providers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startWorker, type RunningWorker } from './running-worker.js';

let worker: RunningWorker;

beforeAll(async () => {
  worker = await startWorker();
  await worker.ingest({ path: 'a.md', markdown: 'Robots are made of parts.' });
  await worker.ingest({ path: 'b.md', markdown: 'Wheels turn around their axles.' });
});
beforeEach(() => {
  worker.providers.reset();
  worker.providers.embeddings.byDefault(vectors({ latencyMs: 200 }));
});
afterAll(() => worker.stop());

const calls = () => worker.providers.embeddings.requests.map(({ body }) => body.texts.length);

it('questions at the same time share embedding calls, and each gets its own passages', async () => {
  const asked = Array.from({ length: 32 }, (_, i) => `${i % 2 === 0 ? 'Robots' : 'Wheels'} of kind ${i}`);
  const results = await Promise.all(asked.map((query) => worker.search({ query, top_k: 1 })));
  for (const [i, { chunks }] of results.entries()) {
    expect(chunks[0]?.text.split(' ', 1)).toEqual(asked[i]?.split(' ', 1));
  }
  expect(calls().reduce((sum, texts) => sum + texts, 0)).toBe(32);
  expect(calls().length).toBeLessThan(8);
});

it('equal questions are embedded once, at the same time and later', async () => {
  const ask = () => worker.search({ query: 'the very same robots' });
  await Promise.all(Array.from({ length: 16 }, ask));
  await ask();
  expect(calls()).toEqual([1]);
});
