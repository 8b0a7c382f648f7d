import { createLogger } from '@quire/shared/logging';
import { startPrivateQdrant } from '@quire/testkit';
import { expect, it } from 'vitest';
import { awaitIndex } from './await-index.js';
import { openQdrantCollections } from './qdrant-index-collections.js';

const maker = { embedder: 'test:model', dimensions: 2 };
const startOn = (url: string) => async () => {
  await openQdrantCollections({ url, collection: 'book' }).prepare(maker);
};
const nowhere = startOn('http://127.0.0.1:9');
const waiting = (timeoutMs: number, signal = new AbortController().signal) => ({
  logger: createLogger('test', 'silent'),
  signal,
  timeoutMs,
});

it('awaitIndex rejects when the index does not respond in time, and names the variable', async () => {
  await expect(awaitIndex(nowhere, waiting(1000))).rejects.toThrow(/within 1000 ms: check QDRANT_URL/);
});

it('awaitIndex rejects when its signal fires', async () => {
  await expect(awaitIndex(nowhere, waiting(20_000, AbortSignal.timeout(100)))).rejects.toThrow('aborted');
});

it('awaitIndex waits for an index that is up later', async () => {
  const qdrant = await startPrivateQdrant();
  await qdrant.stop();
  const started = awaitIndex(startOn(qdrant.url), waiting(20_000));
  await qdrant.restart();
  await expect(started).resolves.toBeUndefined();
  await qdrant.cleanup();
});

it('awaitIndex rejects at once on an error that is not retryable', async () => {
  let tries = 0;
  const mismatch = () => {
    tries += 1;
    return Promise.reject(new Error('another maker'));
  };
  await expect(awaitIndex(mismatch, waiting(20_000))).rejects.toThrow('another maker');
  expect(tries).toBe(1);
});
