import { questionTypes } from '../golden/golden-question.js';
import { modes } from './eval-queries.js';
import type { EvalReport } from './eval-report.js';
import { rankingFigureNames, type RankingSummary } from './ranking-summary.js';

const inScopeTypes = questionTypes.filter((type) => type !== 'out_of_scope');
const scopes = ['in_scope', 'out_of_scope'] as const;
const shares = ['should_answer', 'insufficient_or_low'] as const;

/** The name of every figure: `hybrid.hit@5`, `dense.lexical.mrr`, `confidence.in_scope.should_answer`, … */
export function figureNames(topK: number): string[] {
  const rankings = modes.flatMap((mode) => [mode, ...inScopeTypes.map((type) => `${mode}.${type}`)]);
  return [
    ...rankings.flatMap((ranking) => rankingFigureNames(topK).map((name) => `${ranking}.${name}`)),
    ...scopes.flatMap((scope) => shares.map((share) => `confidence.${scope}.${share}`)),
  ];
}

/** The figures of a report by name; null or absent for a figure without questions. */
export function figuresOf({ modes: reports, confidence }: EvalReport): Map<string, number | null> {
  const named = (prefix: string, { figures }: RankingSummary) =>
    Object.entries(figures).map(([name, value]) => [`${prefix}.${name}`, value] as const);
  return new Map([
    ...modes.flatMap((mode) => named(mode, reports[mode].all)),
    ...modes.flatMap((mode) =>
      Object.entries(reports[mode].by_type).flatMap(([type, summary]) => named(`${mode}.${type}`, summary)),
    ),
    ...scopes.flatMap((scope) =>
      shares.map((share) => [`confidence.${scope}.${share}`, confidence[scope][share]] as const),
    ),
  ]);
}
