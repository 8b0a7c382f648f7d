import type { ConfidencePreset } from '@quire/shared/contracts';

/** Cut points as data, since similarity scales differ from embedder to embedder. */
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
  // Fitted by `quire calibrate` on one half of books/physical-ai/golden.jsonl. On the other half 92.5 % of the
  // questions that the book answers are let through, and of the others 100 % are insufficient or low. Words and cosine
  // together tell them apart (area under the curve 0.92) far better than this embedder's cosine alone (0.76). The
  // measure itself was chosen with all questions in view, so new questions will do somewhat worse.
  local: {
    similarityThreshold: 0.1607,
    levels: [
      { level: 'high', measure: 'evidence', atLeast: 0.6929, chunks: 2 },
      { level: 'medium', measure: 'evidence', atLeast: 0.6106, chunks: 1 },
      { level: 'low', measure: 'evidence', atLeast: 0.4306, chunks: 1 },
    ],
    fitted: {
      embedder: 'local:use-lite',
      questions: 80,
      at: '2026-11-18T00:54:20.111Z',
      calibration_error: 0.1152,
    },
  },
} satisfies Record<string, ConfidencePreset>;

export type PresetName = keyof typeof confidencePresets;
