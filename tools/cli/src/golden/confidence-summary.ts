import type { ConfidenceLevel } from '@quire/shared/contracts';
import { isInScope, type QuestionType } from './golden-question.js';
import { plainTable } from './plain-table.js';

export interface LevelOfQuestion {
  type: QuestionType;
  level: ConfidenceLevel;
}

export interface ScopeConfidence {
  questions: number;
  /** Shares of the questions; null when there are none. */
  should_answer: number | null;
  insufficient_or_low: number | null;
  levels: Record<ConfidenceLevel, number>;
}

export interface ConfidenceSummary {
  in_scope: ScopeConfidence;
  out_of_scope: ScopeConfidence;
}

export function summariseConfidence(questions: readonly LevelOfQuestion[]): ConfidenceSummary {
  return {
    in_scope: summariseScope(questions.filter(isInScope)),
    out_of_scope: summariseScope(questions.filter((question) => !isInScope(question))),
  };
}

/** A row for each level with the counts of both kinds of questions, then the two shares. */
export function confidenceText({ in_scope: inside, out_of_scope: outside }: ConfidenceSummary): string {
  const levels = Object.keys(inside.levels) as ConfidenceLevel[];
  const rows = levels.map((level) => [level, String(inside.levels[level]), String(outside.levels[level])]);
  return (
    plainTable(['confidence', 'in scope', 'out of scope'], rows) +
    `in scope, should be answered: ${percent(inside.should_answer)} of ${inside.questions}\n` +
    `out of scope, insufficient or low: ${percent(outside.insufficient_or_low)} of ${outside.questions}\n`
  );
}

function summariseScope(questions: readonly LevelOfQuestion[]): ScopeConfidence {
  const levels = { high: 0, medium: 0, low: 0, insufficient: 0 };
  for (const { level } of questions) levels[level] += 1;
  const share = (count: number) => (questions.length === 0 ? null : count / questions.length);
  return {
    questions: questions.length,
    should_answer: share(questions.length - levels.insufficient),
    insufficient_or_low: share(levels.insufficient + levels.low),
    levels,
  };
}

const percent = (share: number | null): string => (share === null ? '–' : `${(100 * share).toFixed(1)} %`);
