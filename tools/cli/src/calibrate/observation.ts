import type { ConfidenceLevel, ConfidencePreset, LevelRule } from '@quire/shared/contracts';

export type Measure = LevelRule['measure'];
/** Preferred first: `best` does not depend on the number of passages asked for. */
export const measures = ['best', 'average', 'lexical', 'evidence'] as const satisfies Measure[];

/** A question's scores in the search, and whether the book answers it. */
export interface Observation {
  inScope: boolean;
  similarities: readonly number[];
  lexicalScore: number;
}

/** The score that a level rule compares; 0 for no passages. */
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

/** The level that the retrieval worker would assign: the first rule that holds decides. */
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
