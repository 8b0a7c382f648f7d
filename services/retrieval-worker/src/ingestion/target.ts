import { DependencyUnavailable, InvalidInput } from '@quire/shared/errors';
import type { IngestionParts } from './ingestion-parts.js';
import type { ChunkTarget } from './embed-chunks.js';

/** The collection an ingestion writes to, with the embedder whose vectors are in it. */
export async function targetOf(
  { collections, embedders }: Pick<IngestionParts, 'collections' | 'embedders'>,
  collection: string,
): Promise<ChunkTarget> {
  const maker = await collections.makerOf(collection);
  if (!maker) {
    throw new InvalidInput(
      'INVALID_REQUEST',
      `The collection ${collection} has been removed: ingest the book again`,
    );
  }
  const embedder = embedders.find(maker);
  if (!embedder) {
    // Retryable, since another worker may have the key.
    throw new DependencyUnavailable(
      'RETRIEVAL_UNAVAILABLE',
      `This worker has no access to ${maker.embedder}, whose vectors ${collection} holds`,
    );
  }
  return { index: collections.open(collection), embedder };
}
