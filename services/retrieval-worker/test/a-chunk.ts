import { createHash, randomUUID } from 'node:crypto';
import type { Chunk } from '@quire/shared/contracts';

/** A chunk in which only what a test cares about need be said. */
export function aChunk({
  id = randomUUID(),
  text = 'Some text.',
  url = 'https://book.example/docs/ros2/qos',
  module = 'ros2',
}: { id?: string; text?: string; url?: string; module?: string } = {}): Chunk {
  return {
    chunk_id: id,
    text,
    title: 'Quality of Service',
    chapter: 'Quality of Service',
    section: 'Offers',
    module,
    url,
    chunk_index: 0,
    char_start: 0,
    char_end: text.length,
    content_hash: createHash('sha256').update(text).digest('hex'),
  };
}
