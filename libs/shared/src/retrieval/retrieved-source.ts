import type { ConfidenceMetrics } from '../contracts/confidence.contract.js';
import type { RetrievedChunk } from '../contracts/retrieval.contract.js';
import type { BookPassage, RetrievedSource } from '../contracts/source.contract.js';
import { snippet } from './snippet.js';

/** Further digits are rounding noise. */
export const roundScore = (score: number): number => Math.round(score * 10_000) / 10_000;

/** The `confidence` of a response: the mean similarity, clamped to 0–1 since a cosine may be negative. */
export const overallConfidence = ({ average_similarity: mean }: ConfidenceMetrics): number =>
  Math.min(1, Math.max(0, roundScore(mean)));

/** A chunk as it is returned to clients. */
export function bookPassage(chunk: RetrievedChunk): BookPassage {
  return {
    source_url: chunk.url,
    title: chunk.title,
    chapter: chunk.chapter,
    section: chunk.section,
    module: chunk.module,
    chunk_position: chunk.chunk_index,
    similarity_score: roundScore(chunk.similarity),
    snippet: snippet(chunk.text),
    chunk_id: chunk.chunk_id,
    content_hash: chunk.content_hash,
  };
}

/** The chunks in their order, ranked from 1. */
export function retrievedSources(chunks: readonly RetrievedChunk[]): RetrievedSource[] {
  return chunks.map((chunk, i) => ({ rank: i + 1, ...bookPassage(chunk) }));
}
