import type { JobHandler } from '@quire/shared/jobs';
import type { Logger } from '@quire/shared/logging';
import type { Embedder } from '../embedding/embedder.js';
import type { VectorIndex } from '../index/vector-index.js';
import { chunkPage, embeddedText } from './chunk-page.js';
import { parsePage } from './parse-page.js';

export interface PageProcessorParts {
  embedder: Embedder;
  index: VectorIndex;
  logger: Logger;
}

/** Puts one page of the `ingest` queue into the index in place of what the index held of it. */
export function createPageProcessor({ embedder, index, logger }: PageProcessorParts): JobHandler<'ingest'> {
  return async (payload, { jobId, signal }) => {
    const startedAt = performance.now();
    const page = parsePage(payload);
    const chunks = chunkPage(page);
    const vectors = await embedder.embed(chunks.map(embeddedText), 'document', signal);
    await index.ensure({ embedder: embedder.id, dimensions: embedder.dimensions });
    await index.upsert(chunks.map((chunk, i) => ({ chunk, vector: vectors[i] ?? [] })));
    // Last, so that searches find the page all the while and a crash in between only leaves old chunks for the retry.
    await index.removePage(
      page.url,
      chunks.map((chunk) => chunk.chunk_id),
    );
    logger.info(
      {
        stage: 'retrieval',
        job_id: jobId,
        page: payload.path,
        chunks: chunks.length,
        latency_ms: Math.round(performance.now() - startedAt),
      },
      'Page ingested',
    );
    return { path: payload.path, chunks: chunks.length };
  };
}
