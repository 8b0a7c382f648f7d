import type { IngestResult, IngestTask } from '@quire/shared/contracts';
import { InvalidInput } from '@quire/shared/errors';
import type { JobHandler } from '@quire/shared/jobs';
import { ForeignCollection } from '@quire/shared/qdrant';
import { ProviderMisconfigured } from '../providers/provider-failure.js';
import { carryChunks } from './carry-chunks.js';
import { closeIngestion } from './close-ingestion.js';
import { ingestPage } from './ingest-page.js';
import type { IngestionParts } from './ingestion-parts.js';
import { openIngestion } from './open-ingestion.js';

/** Serves the `ingest` queue. Every step may be done twice, or again after a crash, with the same result. */
export function createIngestProcessor(parts: IngestionParts): JobHandler<'ingest'> {
  return async (task, { jobId, signal }) => {
    const startedAt = performance.now();
    const result = await perform(parts, task, signal).catch(toldToOperator);
    parts.logger.info(
      {
        stage: 'retrieval',
        job_id: jobId,
        ...(task.task === 'page' && { page: task.page.path }),
        ...result,
        latency_ms: Math.round(performance.now() - startedAt),
      },
      'Ingestion step done',
    );
    return result;
  };
}

/** Whoever ingests runs the product: what is wrong with its configuration is for them to read. */
function toldToOperator(error: unknown): never {
  const isAboutConfiguration = error instanceof ProviderMisconfigured || error instanceof ForeignCollection;
  if (!isAboutConfiguration) throw error;
  throw new InvalidInput('INVALID_REQUEST', error.message, { cause: error });
}

function perform(parts: IngestionParts, task: IngestTask, signal: AbortSignal): Promise<IngestResult> {
  switch (task.task) {
    case 'open':
      return openIngestion(parts, task, signal);
    case 'page':
      return ingestPage(parts, task, signal);
    case 'carry':
      return carryChunks(parts, task, signal);
    case 'close':
      return closeIngestion(parts, task);
  }
}
