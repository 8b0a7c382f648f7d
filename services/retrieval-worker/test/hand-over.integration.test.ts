import { vectors } from '@quire/scripted-providers';
import { expect, it } from 'vitest';
import { compose } from '../src/compose.js';
import { loadRetrievalConfig } from '../src/config.js';
import { startWorker } from './running-worker.js';

it('a worker that stops hands its page back, and another worker ingests it', async () => {
  const first = await startWorker();
  await first.ingest({ path: 'a.md', markdown: 'Robots are made of parts.' });
  const before = first.providers.embeddings.requests.length;
  first.providers.embeddings.enqueue(vectors({ stall: true }));
  const ingested = first.ingest({ path: 'b.md', markdown: 'Robots need good batteries.' });
  await expect.poll(() => first.providers.embeddings.requests.length).toBe(before + 1);

  const stopping = first.service.stop();
  expect(first.service.stop()).toBe(stopping);
  await stopping;
  expect(await first.queues.ingest.counts()).toMatchObject({ waiting: 1 });

  const second = compose(loadRetrievalConfig(first.env)).service;
  await second.start();
  expect(await ingested).toMatchObject({ chunks: 1, embedded: 1 });
  await second.stop();
  await first.stop();
});
