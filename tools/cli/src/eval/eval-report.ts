import type { ConfidenceMetrics, RetrievalMode, RetrievalResult } from '@quire/shared/contracts';
import type { QueryResult } from '../golden/search-all.js';
import { summariseConfidence, type ConfidenceSummary } from '../golden/confidence-summary.js';
import { questionTypes, type GoldenQuestion, type QuestionType } from '../golden/golden-question.js';
import type { EvalQuery, Purpose } from './eval-queries.js';
import { summariseRanking, type RankingSummary } from './ranking-summary.js';
import { rankSections, type SectionRanks } from './ranking-metrics.js';

export interface Ranking {
  ranks: SectionRanks;
  /** Of all results, expected or not. */
  urls: string[];
}

export interface EvaluatedQuestion extends GoldenQuestion {
  rankings: Partial<Record<RetrievalMode, Ranking>>;
  confidence?: ConfidenceMetrics;
}

export interface ModeReport {
  all: RankingSummary;
  by_type: Partial<Record<QuestionType, RankingSummary>>;
}

export interface FailedQuestion {
  id: string;
  purpose: Purpose;
  reason: string;
}

export interface EvalReport {
  top_k: number;
  modes: Record<RetrievalMode, ModeReport>;
  confidence: ConfidenceSummary;
  /** In-scope questions of whose expected sections the hybrid search finds none. */
  missed: string[];
  failed: FailedQuestion[];
  questions: EvaluatedQuestion[];
}

/** Combines the results of all queries; a query that failed is left out of the figures. */
export function evaluate(
  queries: readonly EvalQuery[],
  results: readonly QueryResult[],
  topK: number,
): EvalReport {
  const questions = new Map<string, EvaluatedQuestion>();
  const failed: FailedQuestion[] = [];
  for (const [i, { question, purpose }] of queries.entries()) {
    const evaluated = questions.get(question.id) ?? { ...question, rankings: {} };
    questions.set(question.id, evaluated);
    const found = results[i];
    if (found?.ok) record(evaluated, purpose, found.result);
    else failed.push({ id: question.id, purpose, reason: found?.reason ?? 'not asked' });
  }
  const all = [...questions.values()];
  const report = (mode: RetrievalMode) => reportMode(all, mode, topK);
  return {
    top_k: topK,
    modes: { hybrid: report('hybrid'), dense: report('dense'), sparse: report('sparse') },
    confidence: summariseConfidence(
      all.flatMap(({ type, confidence }) =>
        confidence ? [{ type, level: confidence.confidence_level }] : [],
      ),
    ),
    missed: all.filter(isMissed).map(({ id }) => id),
    failed,
    questions: all,
  };
}

function record(
  question: EvaluatedQuestion,
  purpose: Purpose,
  { chunks, confidence }: RetrievalResult,
): void {
  if (purpose === 'confidence') {
    question.confidence = confidence;
    return;
  }
  question.rankings[purpose] = {
    ranks: rankSections(question.expected, chunks),
    urls: chunks.map(({ url }) => url),
  };
}

function reportMode(questions: readonly EvaluatedQuestion[], mode: RetrievalMode, topK: number): ModeReport {
  const ranked = questions.flatMap(({ type, needs, rankings }) => {
    const ranks = rankings[mode]?.ranks;
    return ranks ? [{ type, needs, ranks }] : [];
  });
  const types = questionTypes.filter((type) => ranked.some((question) => question.type === type));
  const ofType = (type: QuestionType) => ranked.filter((question) => question.type === type);
  return {
    all: summariseRanking(ranked, topK),
    by_type: Object.fromEntries(types.map((type) => [type, summariseRanking(ofType(type), topK)])),
  };
}

function isMissed({ rankings }: EvaluatedQuestion): boolean {
  return rankings.hybrid?.ranks.every((rank) => rank === null) ?? false;
}
