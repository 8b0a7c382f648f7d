export { ingestBook, succeeded, type IngestionReport } from './ingest-book.js';
export type { IngestionEvent, IngestionOptions, IngestionProgress } from './ingestion-event.js';
export { IngestionFailure } from './ingestion-failure.js';
export { IngestionTally, type FailedPage, type LeftOutPage } from './ingestion-tally.js';
export { previewBook, type BookPreview, type PagePreview } from './preview-book.js';
export { rebuildIndex, type RebuildReport } from './rebuild-index.js';
export { watchRedis } from './watch-redis.js';
export { WorkerWatch, type WorkerPatience } from './worker-watch.js';
