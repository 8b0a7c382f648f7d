import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { IndexMismatch } from '../src/index/index-mismatch.js';
import type { IndexedChunk, VectorIndex } from '../src/index/vector-index.js';
import { aChunk } from './a-chunk.js';

export interface IndexUnderTest {
  /** A fresh, missing index. */
  open(): VectorIndex;
  cleanUp(): Promise<void>;
}

const maker = { embedder: 'test:model', dimensions: 2 };
const book = 'https://book.example/docs';
const indexed = (
  text: string,
  vector: [number, number],
  place: { url?: string; module?: string } = {},
): IndexedChunk => ({
  chunk: aChunk({ text, ...place }),
  vector,
});

/** What every vector index promises, whatever stores the vectors. */
export function describeVectorIndex(name: string, { open, cleanUp }: IndexUnderTest): void {
  describe(`${name} keeps the vector index's contract`, () => {
    let index: VectorIndex;
    const search = (options: Partial<Parameters<VectorIndex['search']>[0]> = {}) =>
      index.search({ vector: [1, 0], limit: 10, threshold: 0, ...options });
    const textsFound = async (options?: Parameters<typeof search>[0]) =>
      (await search(options)).map(({ chunk }) => chunk.text);

    beforeEach(() => {
      index = open();
    });
    afterAll(cleanUp);

    test('a missing index has no description and no hits', async () => {
      expect(await index.describe()).toBeUndefined();
      expect(await search()).toEqual([]);
    });

    test('an empty index has no hits and knows its maker', async () => {
      await index.ensure(maker);
      expect(await search()).toEqual([]);
      expect(await index.describe()).toEqual({ ...maker, points: 0 });
    });

    test('ensuring an index again, even at the same time, changes nothing', async () => {
      await Promise.all([index.ensure(maker), index.ensure(maker), index.ensure(maker)]);
      await index.upsert([indexed('kept', [1, 0])]);
      await index.ensure(maker);
      expect(await textsFound()).toEqual(['kept']);
    });

    test.each([
      ['embedder', { ...maker, embedder: 'test:other' }],
      ['dimension', { ...maker, dimensions: 3 }],
    ])('another %s is refused with both names and the remedy', async (_, other) => {
      await index.ensure(maker);
      const error: unknown = await index.ensure(other).catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(IndexMismatch);
      const { message } = error as IndexMismatch;
      for (const words of [
        'test:model (2 dimensions)',
        `${other.embedder} (${other.dimensions} dimensions)`,
        'QDRANT_COLLECTION',
      ]) {
        expect(message).toContain(words);
      }
    });

    test('hits come best first, whole, with cosine similarity and direction of their vector', async () => {
      await index.ensure(maker);
      const [far, near, mid] = [indexed('far', [0.03, 3]), indexed('near', [2, 0]), indexed('mid', [1, 1])];
      await index.upsert([far, near, mid]);
      const hits = await search();
      expect(hits.map(({ chunk }) => chunk)).toEqual([near.chunk, mid.chunk, far.chunk]);
      expect(hits.map(({ similarity }) => similarity)).toEqual([
        expect.closeTo(1),
        expect.closeTo(Math.SQRT1_2),
        expect.closeTo(0.01),
      ]);
      expect(hits[1]?.vector[0]).toBeCloseTo(hits[1]?.vector[1] ?? 0);
      expect((await index.describe())?.points).toBe(3);
    });

    test('limit and threshold bound the hits', async () => {
      await index.ensure(maker);
      await index.upsert([indexed('near', [1, 0]), indexed('mid', [1, 1]), indexed('far', [0, 1])]);
      expect(await textsFound({ limit: 1 })).toEqual(['near']);
      expect(await textsFound({ threshold: 0.7 })).toEqual(['near', 'mid']);
    });

    test('filters by module and by URL prefix at segment boundaries, alone and together', async () => {
      await index.ensure(maker);
      await index.upsert([
        indexed('qos', [1, 0.1], { url: `${book}/ros2/qos#offers`, module: 'ros2' }),
        indexed('humble', [1, 0.2], { url: `${book}/ros2-humble/setup`, module: 'ros2' }),
        indexed('gazebo', [1, 0.3], { url: `${book}/simulation/gazebo`, module: 'simulation' }),
      ]);
      expect(await textsFound({ filters: { module: 'ros2' } })).toEqual(['qos', 'humble']);
      expect(await textsFound({ filters: { url_prefix: `${book}/ros2` } })).toEqual(['qos']);
      expect(await textsFound({ filters: { url_prefix: `${book}/` } })).toEqual(['qos', 'humble', 'gazebo']);
      expect(await textsFound({ filters: { module: 'simulation', url_prefix: `${book}/ros2` } })).toEqual([]);
      expect(await textsFound({ filters: { module: 'ros' } })).toEqual([]);
    });

    test('a chunk with the same id is replaced', async () => {
      await index.ensure(maker);
      const first = indexed('first', [1, 0]);
      await index.upsert([first]);
      await index.upsert([{ chunk: { ...first.chunk, text: 'second' }, vector: [1, 0] }]);
      expect(await textsFound()).toEqual(['second']);
    });

    test('a page loses all its chunks but the named ones, and other pages none', async () => {
      await index.ensure(maker);
      const [kept, gone] = [
        indexed('kept', [1, 0.1], { url: `${book}/a#x` }),
        indexed('gone', [1, 0.2], { url: `${book}/a#y` }),
      ];
      await index.upsert([kept, gone, indexed('below', [1, 0.3], { url: `${book}/a/b` })]);
      await index.removePage(`${book}/a`, [kept.chunk.chunk_id]);
      expect(await textsFound()).toEqual(['kept', 'below']);
      await index.removePage(`${book}/a`, []);
      expect(await textsFound()).toEqual(['below']);
    });

    test('hundreds of chunks are stored', async () => {
      await index.ensure(maker);
      await index.upsert(Array.from({ length: 150 }, (_, i) => indexed(`chunk ${i}`, [1, i])));
      expect((await index.describe())?.points).toBe(150);
    });
  });
}
