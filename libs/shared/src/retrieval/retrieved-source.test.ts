import { expect, it } from 'vitest';
import { retrievalResult } from '../../test/retrieval-samples.js';
import { overallConfidence, retrievedSources } from './retrieved-source.js';

const { chunks, confidence } = retrievalResult();

it('chunks become sources in their order, ranked from 1, with rounded scores', () => {
  const sources = retrievedSources(
    chunks.flatMap((chunk) => [
      { ...chunk, similarity: 0.123456 },
      { ...chunk, chunk_id: 'c2', chunk_index: 7, similarity: 0.1 },
    ]),
  );
  expect(sources).toEqual([
    {
      rank: 1,
      source_url: 'https://book.example/nodes#topics',
      title: 'Nodes',
      chapter: 'Middleware',
      section: 'Topics',
      module: 'ros2',
      chunk_position: 0,
      similarity_score: 0.1235,
      snippet: 'Nodes exchange messages on topics.',
      chunk_id: 'c1',
      content_hash: 'abc',
    },
    expect.objectContaining({ rank: 2, chunk_id: 'c2', chunk_position: 7, similarity_score: 0.1 }),
  ]);
});

it.each([
  [0.448_66, 0.4487],
  [0, 0],
  [-0.2, 0],
  [1.000_000_1, 1],
])('a mean similarity of %d is a confidence of %d', (average_similarity, expected) => {
  expect(overallConfidence({ ...confidence, average_similarity })).toBe(expected);
});
