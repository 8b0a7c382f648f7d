import { hitAt, ndcgAt, recallAt, reciprocalRank, type RankedQuestion } from './ranking-metrics.js';

type Metric = (question: RankedQuestion) => number;

/** Each metric's mean over the questions; null when there are none. */
export interface RankingSummary {
  questions: number;
  figures: Record<string, number | null>;
}

export const rankingFigureNames = (topK: number): string[] => [...rankingMetrics(topK).keys()];

export function summariseRanking(questions: readonly RankedQuestion[], topK: number): RankingSummary {
  const figures = [...rankingMetrics(topK)].map(([name, metric]) => [name, mean(questions.map(metric))]);
  return {
    questions: questions.length,
    figures: Object.fromEntries(figures) as RankingSummary['figures'],
  };
}

function rankingMetrics(topK: number): Map<string, Metric> {
  const cuts = [1, 3, 5].filter((k) => k < topK);
  return new Map<string, Metric>([
    ...[...cuts, topK].map((k): [string, Metric] => [`hit@${k}`, (question) => hitAt(k, question)]),
    ['mrr', reciprocalRank],
    [`ndcg@${topK}`, (question) => ndcgAt(topK, question)],
    [`recall@${topK}`, (question) => recallAt(topK, question)],
  ]);
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
