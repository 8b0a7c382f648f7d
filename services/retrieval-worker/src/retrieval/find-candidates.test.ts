import { expect, it } from 'vitest';
import { aCandidate } from '../../test/a-chunk.js';
import type { Candidates, IndexQuery } from '../index/vector-index.js';
import { findCandidates } from './find-candidates.js';

const LIMIT = 4;
const query: IndexQuery = { text: 'robot', vector: [1, 0], limit: LIMIT };
const wanted = { topK: 2, threshold: 0.4 };

/** A list of chunks by their texts, such as `aab`. */
const near = (texts: string, similarity = 0.5) =>
  texts.split('').map((text) => aCandidate({ text }, similarity));
const wordy = (texts: string) => near(texts).map((candidate) => Object.assign(candidate, { bm25: 1 }));
const lists = (dense: string, sparse = ''): Candidates => ({ dense: near(dense), sparse: wordy(sparse) });

/** Returns these candidates search by search; the last ones repeatedly. */
async function find(results: Candidates[], asked: Partial<IndexQuery> = {}) {
  const exceptions: number[] = [];
  const search = ({ exceptTexts = [] }: IndexQuery) => {
    exceptions.push(exceptTexts.length);
    return Promise.resolve(results[Math.min(exceptions.length, results.length) - 1] as Candidates);
  };
  const { dense, sparse } = await findCandidates(search, { ...query, ...asked }, wanted);
  const textsOf = (list: Candidates['dense']) => list.map(({ chunk }) => chunk().text).join('');
  return { exceptions, found: [textsOf(dense), textsOf(sparse)] };
}

it.each<[string, Candidates, Partial<IndexQuery>]>([
  ['as many texts as wanted', lists('aaab', 'ccdd'), {}],
  ['lists that are not full', lists('aaa', 'aaa'), {}],
  ['words that are copies where the vectors leave nothing out', lists('aaa', 'aaaa'), {}],
  ['copies of which the farthest lies below the threshold', { dense: near('aaaa', 0.3), sparse: [] }, {}],
  ['words alone that are not full', lists('', 'aaa'), { vector: undefined }],
])('%s need a single search', async (_, result, asked) => {
  expect((await find([result], asked)).exceptions).toEqual([0]);
});

it.each<[string, Candidates, Partial<IndexQuery>]>([
  ['vectors', lists('aaaa', 'bcde'), {}],
  ['words', lists('bcde', 'aaaa'), {}],
  ['words alone', lists('', 'aaaa'), { vector: undefined }],
])('%s that are copies cause another search without their texts', async (_, result, asked) => {
  const { exceptions, found } = await find([result, lists('x', 'y')], asked);
  expect(exceptions).toHaveLength(2);
  expect(exceptions[1]).toBeGreaterThan(0);
  expect(found.map((texts) => texts.at(-1))).toEqual(['x', 'y']);
});

it('the texts of all searches count towards top_k', async () => {
  expect(await find([lists('aaaa'), lists('bbbb'), lists('cccc')])).toEqual({
    exceptions: [0, 1],
    found: ['aaaabbbb', ''],
  });
});

it('a book that consists of copies is searched three times', async () => {
  expect((await find([lists('aaaa')])).exceptions).toHaveLength(3);
});
