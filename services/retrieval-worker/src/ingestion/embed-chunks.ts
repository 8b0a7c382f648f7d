import { createHash } from 'node:crypto';
import { embeddedText } from '@quire/book/chunking';
import type { Chunk } from '@quire/shared/contracts';
import type { Embedder } from '../embedding/embedder.js';
import type { IndexedChunk, PageKey, StoredChunk, VectorIndex } from '../index/vector-index.js';

const CHUNKS_AT_ONCE = 128;

export interface ChunkTarget {
  index: VectorIndex;
  embedder: Embedder;
}

export interface EmbeddedChunks {
  chunks: IndexedChunk[];
  /** Texts that were embedded; the vectors of the others were in the index. */
  embedded: number;
}

/** Adds vectors to chunks; only texts without a vector in the index are embedded. */
export async function embedChunks(
  { index, embedder }: ChunkTarget,
  chunks: readonly StoredChunk[],
  signal: AbortSignal,
): Promise<EmbeddedChunks> {
  const vectors = new Map<string, number[]>();
  let embedded = 0;
  for (let next = 0; next < chunks.length; next += CHUNKS_AT_ONCE) {
    const texts = new Map(
      chunks
        .slice(next, next + CHUNKS_AT_ONCE)
        .map(({ chunk, embeddedHash }) => [embeddedHash, embeddedText(chunk)]),
    );
    for (const [hash, vector] of await index.knownVectors([...texts.keys()])) vectors.set(hash, vector);
    const fresh = [...texts].filter(([hash]) => !vectors.has(hash));
    const made = await embedder.embed(
      fresh.map(([, text]) => text),
      'document',
      signal,
    );
    for (const [i, [hash]] of fresh.entries()) vectors.set(hash, made[i] ?? []);
    embedded += fresh.length;
  }
  return {
    chunks: chunks.map((stored) =>
      Object.assign({}, stored, { vector: vectors.get(stored.embeddedHash) ?? [] }),
    ),
    embedded,
  };
}

export function storedChunk(chunk: Chunk, page: PageKey, pageHash: string): StoredChunk {
  return { chunk, page, pageHash, embeddedHash: sha256(embeddedText(chunk)) };
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
