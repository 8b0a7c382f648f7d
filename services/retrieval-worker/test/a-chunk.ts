import { createHash, randomUUID } from 'node:crypto';
import type { Chunk } from '@quire/shared/contracts';
import type { Candidate, IndexedChunk } from '../src/index/vector-index.js';

/** A chunk with defaults for all fields. */
export function aChunk({
  chunk_id = randomUUID(),
  text = 'Some text.',
  url = 'https://book.example/docs/ros2/qos',
  ...rest
}: Partial<Chunk> = {}): Chunk {
  return {
    chunk_id,
    text,
    title: 'Quality of Service',
    chapter: 'Quality of Service',
    section: 'Offers',
    module: 'ros2',
    url,
    chunk_index: 0,
    char_start: 0,
    char_end: text.length,
    content_hash: sha256(text),
    ...rest,
  };
}

/** The chunk as a search returns it. */
export function aCandidate(chunk: Partial<Chunk>, similarity: number): Candidate {
  const whole = aChunk(chunk);
  return {
    id: whole.chunk_id,
    contentHash: whole.content_hash,
    chunk: () => whole,
    direction: () => new Int8Array(),
    similarity,
  };
}

/** The chunk as it is stored, with its vector. */
export function anIndexedChunk(
  chunk: Partial<Chunk>,
  vector: number[],
  { book = 'https://book.example/docs', path = 'ros2/qos.md', pageHash = 'page hash' } = {},
): IndexedChunk {
  const whole = aChunk(chunk);
  return { chunk: whole, page: { book, path }, pageHash, embeddedHash: sha256(whole.text), vector };
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
