import { expect, it } from 'vitest';
import { aChunk } from '../../test/a-chunk.js';
import { withNeighbours as addNeighbours } from './neighbours.js';

const page = (name: string, position: number) => ({
  ...aChunk({
    text: `${name}${position}`,
    url: `https://book.example/${name}#h${position}`,
    chunk_index: position,
  }),
  similarity: 0.5,
});
const index = {
  chunksAt: (pageUrl: string, positions: readonly number[]) =>
    Promise.resolve(
      positions.filter((position) => position < 5).map((position) => page(pageUrl.slice(-1), position)),
    ),
};
const { signal: unaborted } = new AbortController();
const withNeighbours = (chunks: Parameters<typeof addNeighbours>[0]) =>
  addNeighbours(chunks, index, unaborted);

it('a passage gets the chunks before and after it on its page', async () => {
  expect(await withNeighbours([page('a', 2), page('b', 0), page('c', 4)])).toMatchObject([
    { text: 'a2', before: 'a1', after: 'a3' },
    { text: 'b0', after: 'b1' },
    { text: 'c4', before: 'c3' },
  ]);
});

it('the first passage of a page has nothing before it, the last nothing after it', async () => {
  const [first, last] = await withNeighbours([page('b', 0), page('c', 4)]);
  expect(first).not.toHaveProperty('before');
  expect(last).not.toHaveProperty('after');
});

it('a passage that is a hit itself is not repeated as a neighbour', async () => {
  const [one, two] = await withNeighbours([page('a', 1), page('a', 2)]);
  expect(one).toMatchObject({ before: 'a0' });
  expect(one).not.toHaveProperty('after');
  expect(two).toMatchObject({ after: 'a3' });
  expect(two).not.toHaveProperty('before');
});

it('a chunk between two passages is given to the better one only', async () => {
  const [better, other] = await withNeighbours([page('a', 3), page('a', 1)]);
  expect(better).toMatchObject({ before: 'a2', after: 'a4' });
  expect(other).toMatchObject({ before: 'a0' });
  expect(other).not.toHaveProperty('after');
});
