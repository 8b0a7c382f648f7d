import { Cohere } from 'cohere-ai';
import { expect, it } from 'vitest';
import { useProviders } from '../../test/use-providers.js';
import { failWith } from '../behaviours/fault.js';
import { ranking } from './rerank-behaviour.js';

const running = useProviders();
const request = {
  model: 'rerank-v3.5',
  query: 'How does the vector index search?',
  documents: ['Bread needs flour.', 'A vector index can search.', 'The index lists chapters.'],
};

it('documents are sorted by the share of the words of the query they hold', async () => {
  const { results, meta } = await running.cohere.rerank(request);
  expect(results.map(({ index }) => index)).toEqual([1, 2, 0]);
  expect(results.map(({ relevanceScore }) => relevanceScore)).toEqual([1, 1 / 3, 0]);
  expect(meta?.billedUnits?.searchUnits).toBe(1);
});

it('no more than top_n results are returned', async () => {
  const { results } = await running.cohere.rerank({ ...request, topN: 2 });
  expect(results.map(({ index }) => index)).toEqual([1, 2]);
});

it('documents of equal score keep their order', async () => {
  const { results } = await running.cohere.rerank({ ...request, documents: ['same', 'same', 'same'] });
  expect(results.map(({ index }) => index)).toEqual([0, 1, 2]);
});

it('scripted scores decide the order', async () => {
  running.providers.rerank.enqueue(ranking({ scores: [0.2, 0.1, 0.9] }));
  const { results } = await running.cohere.rerank(request);
  expect(results.map(({ index, relevanceScore }) => [index, relevanceScore])).toEqual([
    [2, 0.9],
    [0, 0.2],
    [1, 0.1],
  ]);
});

it('an empty list of documents is a bad request', async () => {
  await expect(running.cohere.rerank({ ...request, documents: [] })).rejects.toBeInstanceOf(
    Cohere.BadRequestError,
  );
});

it('a scripted failure raises the SDK error of its class', async () => {
  running.providers.rerank.enqueue(failWith(503));
  await expect(running.cohere.rerank(request)).rejects.toBeInstanceOf(Cohere.ServiceUnavailableError);
});
