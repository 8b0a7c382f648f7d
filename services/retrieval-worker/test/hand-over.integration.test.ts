import { vectors } from '@quire/scripted-providers';
import { expect, test } from 'vitest';
import { compose } from '../src/compose.js';
import { startWorker } from './running-worker.js';

test('a worker that stops hands its question back, and the asker hears only the answer of another', async () => {
  const first = await startWorker();
  first.providers.embeddings.enqueue(vectors({ stall: true }));
  const asked = first.search({}, Date.now() + 60_000);
  await expect.poll(() => first.providers.embeddings.requests.length).toBe(1);

  const stopping = first.service.stop();
  expect(first.service.stop()).toBe(stopping);
  await stopping;
  expect(await first.queues.retrieval.waitingCount()).toBe(1);

  const second = compose(first.env).service;
  await second.start();
  expect(await asked).toMatchObject({ chunks: [] });
  expect(first.providers.embeddings.requests).toHaveLength(2);
  await second.stop();
  await first.stop();
});
