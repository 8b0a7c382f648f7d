import { createLogger } from '@quire/shared/logging';
import { startPrivateQdrant } from '@quire/testkit';
import { describe, expect, test } from 'vitest';
import { awaitIndex } from './await-index.js';
import { IndexMismatch } from './index-mismatch.js';
import { openQdrantIndex } from './qdrant-vector-index.js';

const maker = { embedder: 'test:model', dimensions: 2 };
const nowhere = openQdrantIndex({ url: 'http://127.0.0.1:9', collection: 'book' });
const waiting = (timeoutMs: number, signal = new AbortController().signal) => ({
  logger: createLogger('test', 'silent'),
  signal,
  timeoutMs,
});

describe('a start', () => {
  test('gives up on an index that does not answer in time and names the setting', async () => {
    const startedAt = Date.now();
    await expect(awaitIndex(nowhere, maker, waiting(1000))).rejects.toThrow(
      /within 1000 ms: check QDRANT_URL/,
    );
    expect(Date.now() - startedAt).toBeLessThan(3000);
  });

  test('can be broken off', async () => {
    await expect(awaitIndex(nowhere, maker, waiting(20_000, AbortSignal.timeout(100)))).rejects.toThrow(
      'aborted',
    );
  });

  test('waits for an index that comes up later, but not for one of another maker', async () => {
    const qdrant = await startPrivateQdrant();
    const index = openQdrantIndex({ url: qdrant.url, collection: 'book' });
    await qdrant.stop();
    await Promise.all([awaitIndex(index, maker, waiting(20_000)), qdrant.restart()]);
    expect(await index.describe()).toEqual({ ...maker, points: 0 });
    const other = { ...maker, embedder: 'test:other' };
    await expect(awaitIndex(index, other, waiting(20_000))).rejects.toThrow(IndexMismatch);
    await qdrant.cleanup();
  });
});
