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

/** Processes the `ingest` queue. Every step is idempotent. */
export function createIngestProcessor(parts: IngestionParts): JobHandler<'ingest'> {
  return async (task, { jobId, signal }) => {
    const startedAt = performance.now();
    const result = await perform(parts, task, signal).catch(rethrowForOperator);
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

/** The caller of an ingestion is the operator, who may read what is wrong with the configuration. */
function rethrowForOperator(error: unknown): never {
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
