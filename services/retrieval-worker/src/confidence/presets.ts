import type { ConfidencePreset } from '@quire/shared/contracts';

/** Cut points per embedder, since similarity scales differ. */
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
  // OpenAI's text-embedding-3-small and -large. Published cosines: similar texts 0.37–0.56 (small) and 0.51–0.59 (large),
  // unrelated ones 0.06–0.22 and 0.05–0.18 (16 pairs, thresholds of a memory index, January 2025); questions about an
  // article 0.44, about something else 0.08 (large, afurmanov.com/chunk-size-embedding-similarity); related words
  // 0.46–0.56, unrelated ones 0.30 (small, github.com/Stevenic/vectra/issues/53). Passages are left out where only
  // unrelated texts lie; an answer begins in the middle between the unrelated and the similar.
  'text-embedding-3': {
    similarityThreshold: 0.22,
    levels: [
      { level: 'high', measure: 'best', atLeast: 0.5, chunks: 2 },
      { level: 'medium', measure: 'best', atLeast: 0.4, chunks: 1 },
      { level: 'low', measure: 'best', atLeast: 0.3, chunks: 1 },
    ],
  },
  // Cohere's embed-v3 and embed-v4. Published by Cohere: two phrasings of a thought 0.85, unrelated phrases 0.16
  // (embed-english-v3.0, docs.cohere.com/docs/embeddings); the passages that answer a question 0.32–0.44 (the search
  // examples of docs.cohere.com/docs/semantic-search-embed). `tiered` calls all of those `low`.
  cohere: {
    similarityThreshold: 0.2,
    levels: [
      { level: 'high', measure: 'best', atLeast: 0.5, chunks: 2 },
      { level: 'medium', measure: 'best', atLeast: 0.4, chunks: 1 },
      { level: 'low', measure: 'best', atLeast: 0.3, chunks: 1 },
    ],
  },
  // For models whose scale is not known, since a cosine alone tells nothing: with gemini-embedding-001 two unrelated
  // questions have 0.74 (ai.google.dev/gemini-api/docs/embeddings) but the hits of a memory search only 0.43–0.58
  // (github.com/openclaw/openclaw/pull/94783); with text-embedding-ada-002 unrelated texts have 0.77
  // (community.openai.com/t/1377685). The share of the question's words that the passages hold depends on no model. Cut
  // points chosen on books/physical-ai/golden.jsonl (area under the curve 0.92), so new questions will do somewhat worse.
  words: {
    similarityThreshold: 0,
    levels: [
      { level: 'high', measure: 'lexical', atLeast: 0.75, chunks: 2 },
      { level: 'medium', measure: 'lexical', atLeast: 0.65, chunks: 1 },
      { level: 'low', measure: 'lexical', atLeast: 0.55, chunks: 1 },
    ],
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
