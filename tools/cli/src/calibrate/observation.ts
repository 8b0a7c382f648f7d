import type { ConfidenceLevel, ConfidencePreset, LevelRule } from '@quire/shared/contracts';

export type Measure = LevelRule['measure'];
/** Preferred first: the best passage does not move with the number of passages asked for. */
export const measures = ['best', 'average', 'lexical', 'evidence'] as const satisfies Measure[];

/** What the search shows of a question, and whether the book answers it. */
export interface Observation {
  inScope: boolean;
  /** Of the passages that were found. */
  similarities: readonly number[];
  /** How well the question's words are met. */
  lexicalScore: number;
}

/** What a level rule looks at; the similarities of nothing are 0. */
export function scoreOf(measure: Measure, { similarities, lexicalScore }: Observation): number {
  const best = Math.max(0, ...similarities);
  switch (measure) {
    case 'best':
      return best;
    case 'average':
      return similarities.reduce((sum, similarity) => sum + similarity, 0) / (similarities.length || 1);
    case 'lexical':
      return lexicalScore;
    case 'evidence':
      return (best + lexicalScore) / 2;
  }
}

/** The level the retrieval worker would give under these rules: the first that holds decides. */
export function levelOf(
  observation: Observation,
  { levels }: Pick<ConfidencePreset, 'levels'>,
): ConfidenceLevel {
  const reached = levels.find(
    ({ measure, atLeast, chunks }) =>
      observation.similarities.length >= chunks && scoreOf(measure, observation) >= atLeast,
  );
  return reached?.level ?? 'insufficient';
}
