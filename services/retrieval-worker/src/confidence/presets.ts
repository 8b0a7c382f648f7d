import type { ConfidenceLevel } from '@quire/shared/contracts';

/** What must hold for a level: a similarity (of the average or of the best passage) and a number of passages. */
export interface LevelRule {
  level: Exclude<ConfidenceLevel, 'insufficient'>;
  measure: 'average' | 'best';
  atLeast: number;
  chunks: number;
}

/** Cut points as data, since similarity scales differ from embedder to embedder. */
export interface ConfidencePreset {
  /** Passages below it are left out unless the caller sets a threshold. */
  similarityThreshold: number;
  /** The first rule that holds decides; if none does, the level is `insufficient`. */
  levels: readonly LevelRule[];
}

export const confidencePresets = {
  strict: {
    similarityThreshold: 0.7,
    levels: [
      { level: 'high', measure: 'average', atLeast: 0.85, chunks: 5 },
      { level: 'medium', measure: 'average', atLeast: 0.75, chunks: 3 },
      { level: 'low', measure: 'average', atLeast: 0.6, chunks: 2 },
    ],
  },
  tiered: {
    similarityThreshold: 0.3,
    levels: [
      { level: 'high', measure: 'best', atLeast: 0.5, chunks: 1 },
      { level: 'low', measure: 'best', atLeast: 0.3, chunks: 1 },
    ],
  },
  lenient: {
    similarityThreshold: 0,
    levels: [{ level: 'high', measure: 'best', atLeast: 0.3, chunks: 1 }],
  },
  // Chosen by looking at 40 questions about the sample book and 20 about other things: a best similarity of 0.38
  // lets 37 of the 40 through and refuses 17 of the 20; of the other three one is `low`.
  local: {
    similarityThreshold: 0.3,
    levels: [
      { level: 'high', measure: 'best', atLeast: 0.6, chunks: 2 },
      { level: 'medium', measure: 'best', atLeast: 0.5, chunks: 1 },
      { level: 'low', measure: 'best', atLeast: 0.38, chunks: 1 },
    ],
  },
} as const satisfies Record<string, ConfidencePreset>;

export type PresetName = keyof typeof confidencePresets;
