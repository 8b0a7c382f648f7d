import type { BookSource, RetrievedChunk, RetrievedSource, Source } from '@quire/shared/contracts';
import { snippet } from './snippet.js';

/** Digits beyond these are noise of the vector arithmetic. */
export const roundScore = (score: number): number => Math.round(score * 10_000) / 10_000;

function passage(chunk: RetrievedChunk): Omit<BookSource, 'marker'> {
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

export function retrievedSources(chunks: readonly RetrievedChunk[]): RetrievedSource[] {
  return chunks.map((chunk, i) => ({ rank: i + 1, ...passage(chunk) }));
}

/** Exactly the cited passages, in order of first citation, numbered as in the text. */
export function citedSources(chunks: readonly RetrievedChunk[], cited: readonly number[]): BookSource[] {
  return cited.flatMap((number, i) => {
    const chunk = chunks[number - 1];
    return chunk ? [{ marker: i + 1, ...passage(chunk) }] : [];
  });
}

/** Every passage, for an answer that consists of its sources alone. */
export function allSources(chunks: readonly RetrievedChunk[]): BookSource[] {
  return citedSources(
    chunks,
    chunks.map((_, i) => i + 1),
  );
}

export function selectionSource(selection: string): Source {
  return {
    source_type: 'selected_text',
    marker: 1,
    selection_length: selection.length,
    snippet: snippet(selection),
    char_start: 0,
    char_end: selection.length,
  };
}
