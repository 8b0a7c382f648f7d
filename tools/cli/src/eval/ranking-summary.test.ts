import { expect, it } from 'vitest';
import { rankingFigureNames, summariseRanking } from './ranking-summary.js';

it('ranking figures are means over the questions', () => {
  const summary = summariseRanking(
    [
      { needs: 'any', ranks: [1] },
      { needs: 'any', ranks: [4] },
      { needs: 'all', ranks: [2, null] },
      { needs: 'any', ranks: [null] },
    ],
    10,
  );
  expect(summary).toMatchObject({
    questions: 4,
    figures: {
      'hit@1': 0.25,
      'hit@3': 0.5,
      'hit@5': 0.75,
      'hit@10': 0.75,
      mrr: 1.75 / 4,
      'recall@10': 2.5 / 4,
    },
  });
});

it.each([
  [10, ['hit@1', 'hit@3', 'hit@5', 'hit@10', 'mrr', 'ndcg@10', 'recall@10']],
  [5, ['hit@1', 'hit@3', 'hit@5', 'mrr', 'ndcg@5', 'recall@5']],
  [1, ['hit@1', 'mrr', 'ndcg@1', 'recall@1']],
])('the ranking figures for %i passages are %j', (topK, names) => {
  expect(rankingFigureNames(topK)).toEqual(names);
});

it('the mean over no questions is null', () => {
  expect(summariseRanking([], 10).figures).toMatchObject({ 'hit@1': null, mrr: null });
});
