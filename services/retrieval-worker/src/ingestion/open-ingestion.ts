import type { IngestResult, IngestTask } from '@quire/shared/contracts';
import { makerOf } from '../embedding/embedders.js';
import type { IngestionParts } from './ingestion-parts.js';

type OpenTask = Extract<IngestTask, { task: 'open' }>;

/**
 * Returns the collection that the pages go to: the current one, or a new one for another embedder. A text is embedded
 * first, so that a wrong key fails the ingestion here and not at every page.
 */
export async function openIngestion(
  { collections, embedders }: IngestionParts,
  { ingestion_id: ingestionId }: OpenTask,
  signal: AbortSignal,
): Promise<Extract<IngestResult, { task: 'open' }>> {
  await embedders.configured.embed(['Is this key valid?'], 'document', signal);
  const maker = makerOf(embedders.configured);
  const current = await collections.establish(maker);
  const collection = await collections.begin(maker, ingestionId);
  return {
    task: 'open',
    collection,
    embedder: maker.embedder,
    ...(current.collection !== collection && { replaces: current.collection }),
  };
}
