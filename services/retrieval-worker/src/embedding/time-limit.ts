import type { EmbeddingPurpose } from './embedder.js';

/** Someone waits for a query; a batch of passages may take its time. */
export const TIME_LIMIT_MS: Readonly<Record<EmbeddingPurpose, number>> = { query: 10_000, document: 60_000 };
