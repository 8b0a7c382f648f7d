import { openWorker } from '@quire/shared/jobs';
import { createLogger, type Logger } from '@quire/shared/logging';
import { announcePresence, type Service } from '@quire/shared/process';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import { readConfig } from './config.js';
import { openEmbedder } from './embedding/open-embedder.js';
import { awaitIndex } from './index/await-index.js';
import { openQdrantIndex } from './index/qdrant-vector-index.js';
import { createPageProcessor } from './ingestion/page.processor.js';
import { createReplySender } from './retrieval/reply-sender.js';
import { createRetrievalProcessor } from './retrieval/retrieval.processor.js';

/** How long a start waits for stores that come up at the same time. */
const STORE_WAIT_MS = 30_000;
/** Pages at once; the embedder, not this, is what limits ingestion. */
const INGEST_CONCURRENCY = 4;

export function compose(env: Record<string, string | undefined> = process.env): {
  service: Service;
  logger: Logger;
} {
  const config = readConfig(env);
  const logger = createLogger('retrieval-worker', config.logLevel);
  const redis = connectRedis(config.redisUrl, 'request', logger);
  const workerRedis = connectRedis(config.redisUrl, 'worker', logger);
  const index = openQdrantIndex(config.qdrant);
  const embedder = openEmbedder(config.embedder);

  const retrieve = createRetrievalProcessor({
    embedder,
    index,
    preset: config.preset,
    sendReply: createReplySender(redis, logger),
    logger,
  });
  const ingest = createPageProcessor({ embedder, index, logger });
  const shared = { connection: workerRedis, logger };
  const workers = [
    openWorker('retrieval', retrieve, { ...shared, concurrency: config.retrievalConcurrency }),
    openWorker('ingest', ingest, { ...shared, concurrency: INGEST_CONCURRENCY }),
  ];

  const stopping = new AbortController();
  let sayGoodbye = () => Promise.resolve();
  let stopped: Promise<void> | undefined;

  const service: Service = {
    async start() {
      const { signal } = stopping;
      await Promise.all([
        awaitRedis(redis, STORE_WAIT_MS),
        awaitIndex(
          index,
          { embedder: embedder.id, dimensions: embedder.dimensions },
          { logger, signal, timeoutMs: STORE_WAIT_MS },
        ),
      ]);
      signal.throwIfAborted();
      for (const worker of workers) worker.start();
      sayGoodbye = announcePresence(redis, 'retrieval-worker');
    },
    stop: () => (stopped ??= stop()),
  };

  async function stop(): Promise<void> {
    stopping.abort();
    await sayGoodbye();
    await Promise.allSettled(workers.map((worker) => worker.close()));
    await embedder.close();
    redis.disconnect();
    workerRedis.disconnect();
  }

  return { service, logger };
}
