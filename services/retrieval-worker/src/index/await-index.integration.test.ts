import { createLogger } from '@quire/shared/logging';
import { startPrivateQdrant } from '@quire/testkit';
import { describe, expect, test } from 'vitest';
import { awaitIndex } from './await-index.js';
import { openQdrantShelf } from './qdrant-index-shelf.js';

const maker = { embedder: 'test:model', dimensions: 2 };
const startOn = (url: string) => async () => {
  await openQdrantShelf({ url, collection: 'book' }).prepare(maker);
};
const nowhere = startOn('http://127.0.0.1:9');
const waiting = (timeoutMs: number, signal = new AbortController().signal) => ({
  logger: createLogger('test', 'silent'),
  signal,
  timeoutMs,
});

describe('a start', () => {
  test('gives up on an index that does not answer in time and names the setting', async () => {
    await expect(awaitIndex(nowhere, waiting(1000))).rejects.toThrow(/within 1000 ms: check QDRANT_URL/);
  });

  test('can be broken off', async () => {
    await expect(awaitIndex(nowhere, waiting(20_000, AbortSignal.timeout(100)))).rejects.toThrow('aborted');
  });

  test('waits for an index that comes up later', async () => {
    const qdrant = await startPrivateQdrant();
    await qdrant.stop();
    const started = awaitIndex(startOn(qdrant.url), waiting(20_000));
    await qdrant.restart();
    await expect(started).resolves.toBeUndefined();
    await qdrant.cleanup();
  });

  test('does not wait when the failure will not pass', async () => {
    let tries = 0;
    const mismatch = () => {
      tries += 1;
      return Promise.reject(new Error('another maker'));
    };
    await expect(awaitIndex(mismatch, waiting(20_000))).rejects.toThrow('another maker');
    expect(tries).toBe(1);
  });
});
