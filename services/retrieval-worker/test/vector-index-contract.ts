import type { Chunk } from '@quire/shared/contracts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Candidate, IndexedChunk, IndexQuery, VectorIndex } from '../src/index/vector-index.js';
import { anIndexedChunk, sha256 } from './a-chunk.js';

export interface IndexUnderTest {
  /** A new, empty index of two dimensions. */
  open(): Promise<VectorIndex>;
  cleanUp(): Promise<void>;
}

const book = 'https://book.example/docs';
const indexed = (text: string, vector: [number, number], place: Partial<Chunk> = {}) =>
  anIndexedChunk({ text, ...place }, vector);
const onPage = (path: string, text: string, pageHash?: string, ofBook = book) =>
  anIndexedChunk({ text, url: `${ofBook}/${path}` }, [1, 0], {
    book: ofBook,
    path,
    ...(pageHash && { pageHash }),
  });

const withoutVector = ({ chunk, page, pageHash, embeddedHash }: IndexedChunk) => ({
  chunk,
  page,
  pageHash,
  embeddedHash,
});

/** The contract of every vector index. */
export function describeVectorIndex(name: string, { open, cleanUp }: IndexUnderTest): void {
  describe(`${name} keeps the vector index's contract`, () => {
    let index: VectorIndex;
    const search = async (query: Partial<IndexQuery> = {}) => {
      const [found] = await index.search([{ text: 'nothing', vector: [1, 0], limit: 10, ...query }]);
      return found ?? { dense: [], sparse: [] };
    };
    const textsOf = (hits: readonly Candidate[]) => hits.map(({ chunk }) => chunk().text);
    const near = async (query?: Partial<IndexQuery>) => textsOf((await search(query)).dense);

    beforeEach(async () => {
      index = await open();
    });
    afterAll(cleanUp);

    it('an empty index has no candidates', async () => {
      expect(await search({ text: 'robot' })).toEqual({ dense: [], sparse: [] });
    });

    it('the nearest vectors come best first, with whole chunk, cosine and direction', async () => {
      const [far, closest, mid] = [
        indexed('far', [0.03, 3]),
        indexed('closest', [2, 0]),
        indexed('mid', [1, 1]),
      ];
      await index.upsert([far, closest, mid]);
      const { dense } = await search();
      expect(dense.map(({ chunk }) => chunk())).toEqual([closest.chunk, mid.chunk, far.chunk]);
      expect(dense.map(({ similarity }) => similarity)).toEqual([
        expect.closeTo(1),
        expect.closeTo(Math.SQRT1_2),
        expect.closeTo(0.01),
      ]);
      expect([...(dense[1]?.direction() ?? [])]).toEqual([127, 127]);
    });

    it('the best BM25 scores come best first, with their cosine', async () => {
      await index.upsert([
        indexed('The gripper closes.', [0, 1]),
        indexed('A gripper is a gripper.', [1, 1]),
        indexed('Wheels turn.', [1, 0]),
      ]);
      const { sparse } = await search({ text: 'which grippers?', limit: 2 });
      expect(textsOf(sparse)).toEqual(['A gripper is a gripper.', 'The gripper closes.']);
      expect(sparse.map(({ similarity }) => similarity)).toEqual([
        expect.closeTo(Math.SQRT1_2),
        expect.closeTo(0),
      ]);
      expect(sparse[0]?.bm25).toBeGreaterThan(sparse[1]?.bm25 ?? 0);
    });

    it('words of the heading path are searched', async () => {
      await index.upsert([
        indexed('It closes.', [1, 0], { section: 'Gripper' }),
        indexed('It turns.', [1, 0], { section: 'Wheel' }),
      ]);
      expect(textsOf((await search({ text: 'gripper' })).sparse)).toEqual(['It closes.']);
    });

    it('a question without a vector is searched by words only', async () => {
      await index.upsert([indexed('The gripper closes.', [1, 0]), indexed('Wheels turn.', [1, 0])]);
      const { dense, sparse } = await search({ text: 'gripper', vector: undefined });
      expect([dense, textsOf(sparse)]).toEqual([[], ['The gripper closes.']]);
      expect(sparse).toMatchObject([{ similarity: 0 }]);
    });

    it('questions in one call get their own candidates, with and without a vector', async () => {
      await index.upsert([indexed('The gripper closes.', [0, 1]), indexed('Wheels turn.', [1, 0])]);
      const results = await index.search([
        { text: 'gripper', limit: 1 },
        { text: 'wheels', vector: [1, 0], limit: 1 },
        { text: 'gripper', vector: [0, 1], limit: 1 },
      ]);
      expect(results.map(({ dense, sparse }) => [textsOf(dense), textsOf(sparse)])).toEqual([
        [[], ['The gripper closes.']],
        [['Wheels turn.'], ['Wheels turn.']],
        [['The gripper closes.'], ['The gripper closes.']],
      ]);
    });

    it('module and URL prefix filter by vector and by words, at segment boundaries', async () => {
      await index.upsert([
        indexed('robot qos', [1, 0.1], { url: `${book}/ros2/qos#offers`, module: 'ros2' }),
        indexed('robot humble', [1, 0.2], { url: `${book}/ros2-humble/setup`, module: 'ros2' }),
        indexed('robot gazebo', [1, 0.3], { url: `${book}/simulation/gazebo`, module: 'simulation' }),
      ]);
      for (const [filters, found] of [
        [{ module: 'ros2' }, ['robot qos', 'robot humble']],
        [{ url_prefix: `${book}/ros2` }, ['robot qos']],
        [{ url_prefix: `${book}/` }, ['robot qos', 'robot humble', 'robot gazebo']],
        [{ module: 'simulation', url_prefix: `${book}/ros2` }, []],
        [{ module: 'ros' }, []],
      ] as const) {
        const { dense, sparse } = await search({ text: 'robot', filters });
        expect(textsOf(dense)).toEqual(found);
        expect(textsOf(sparse).sort()).toEqual([...found].sort());
      }
    });

    it('chunks that a filter excludes do not count towards the limit', async () => {
      await index.upsert([
        ...Array.from({ length: 5 }, (_, i) => indexed(`robot ${i}`, [1, 0])),
        indexed('robot gazebo', [0.1, 1], { module: 'simulation' }),
      ]);
      const { dense, sparse } = await search({
        text: 'robot',
        limit: 2,
        filters: { module: 'simulation' },
      });
      expect([textsOf(dense), textsOf(sparse)]).toEqual([['robot gazebo'], ['robot gazebo']]);
    });

    it('excluded texts are found neither by vector nor by words, and do not count towards the limit', async () => {
      await index.upsert([
        ...Array.from({ length: 5 }, () => indexed('robot copy', [1, 0])),
        indexed('robot arm', [0.1, 1]),
      ]);
      const { dense, sparse } = await search({
        text: 'robot',
        limit: 2,
        exceptTexts: [sha256('robot copy'), sha256('of no chunk')],
      });
      expect([textsOf(dense), textsOf(sparse)]).toEqual([['robot arm'], ['robot arm']]);
    });

    it('a chunk with the same id is replaced', async () => {
      const first = indexed('first', [1, 0]);
      await index.upsert([first]);
      await index.upsert([{ ...first, chunk: { ...first.chunk, text: 'second' } }]);
      expect(await near()).toEqual(['second']);
    });

    it('chunksAt returns the chunks at the given positions of that page only', async () => {
      const at = (path: string, position: number) =>
        indexed(`${path} ${position}`, [1, 0], { url: `${book}/${path}#h`, chunk_index: position });
      await index.upsert([at('a', 0), at('a', 1), at('a', 2), at('b', 1)]);
      const chunks = await index.chunksAt(`${book}/a`, [1, 2, 3]);
      expect(chunks.map(({ text }) => text).sort()).toEqual(['a 1', 'a 2']);
    });

    it('pageHashes counts the chunks of a page by the hash of their source', async () => {
      await index.upsert([
        onPage('a.md', 'one', 'old'),
        onPage('a.md', 'two', 'new'),
        onPage('b.md', 'x', 'b'),
      ]);
      expect(await index.pageHashes({ book, path: 'a.md' })).toEqual(
        new Map([
          ['old', 1],
          ['new', 1],
        ]),
      );
      expect(await index.pageHashes({ book: 'https://other.example', path: 'a.md' })).toEqual(new Map());
    });

    it('knownVectors returns the vectors of texts that are already embedded', async () => {
      await index.upsert([indexed('known', [3, 4])]);
      const known = await index.knownVectors([sha256('known'), sha256('unknown')]);
      expect([...known.keys()]).toEqual([sha256('known')]);
      const [x = 0, y = 0] = known.get(sha256('known')) ?? [];
      expect(x / y).toBeCloseTo(3 / 4);
      expect(await index.knownVectors([])).toEqual(new Map());
    });

    it('removePage removes the chunks of one page except those named', async () => {
      const kept = onPage('a.md', 'kept');
      await index.upsert([
        kept,
        onPage('a.md', 'gone'),
        onPage('a.md/b.md', 'below'),
        onPage('a.md', 'elsewhere', undefined, 'https://other.example'),
      ]);
      await index.removePage({ book, path: 'a.md' }, [kept.chunk.chunk_id]);
      expect((await near()).sort()).toEqual(['below', 'elsewhere', 'kept']);
      await index.removePage({ book, path: 'a.md' }, []);
      expect((await near()).sort()).toEqual(['below', 'elsewhere']);
    });

    it('removeOtherPages removes the pages of one book that are not kept', async () => {
      await index.upsert([
        onPage('kept.md', 'kept'),
        onPage('gone.md', 'gone'),
        onPage('gone.md', 'gone as well'),
        onPage('gone.md', 'elsewhere', undefined, 'https://other.example'),
      ]);
      expect(await index.removeOtherPages(book, new Set(['kept.md', 'new.md']))).toEqual({
        pages: 1,
        chunks: 2,
      });
      expect((await near()).sort()).toEqual(['elsewhere', 'kept']);
    });

    it('scroll returns the chunks of all books but one, batch by batch', async () => {
      const chunks = Array.from({ length: 150 }, (_, i) => onPage('a.md', `chunk ${i}`));
      await index.upsert([...chunks, onPage('b.md', 'left out', undefined, 'https://other.example')]);
      const read = [];
      let cursor: string | undefined;
      do {
        const batch = await index.scroll(cursor, 'https://other.example');
        expect(batch.chunks.length).toBeLessThan(100);
        read.push(...batch.chunks);
        cursor = batch.cursor;
      } while (cursor !== undefined);
      const byId = (a: { chunk: Chunk }, b: { chunk: Chunk }) =>
        a.chunk.chunk_id < b.chunk.chunk_id ? -1 : 1;
      expect(read.sort(byId)).toEqual(chunks.map(withoutVector).sort(byId));
    });
  });
}
