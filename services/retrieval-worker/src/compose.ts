import { openWorker } from '@quire/shared/jobs';
import { createLogger, type Logger } from '@quire/shared/logging';
import { createMetrics, serveMetrics, type MetricsServer } from '@quire/shared/metrics';
import { announcePresence, STORE_START_LIMIT_MS, type Service } from '@quire/shared/process';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import { readConfig } from './config.js';
import { Embedders } from './embedding/embedders.js';
import { openQueryVectors } from './embedding/query-vectors.js';
import { awaitIndex } from './index/await-index.js';
import { openQdrantShelf } from './index/qdrant-index-shelf.js';
import { createIngestProcessor } from './ingestion/ingest.processor.js';
import { openPageChunker } from './ingestion/page-chunker.js';
import { createRetrievalMetrics, embeddingObserver } from './metrics.js';
import { openCohereReranker } from './reranking/cohere-reranker.js';
import { CurrentIndex } from './retrieval/current-index.js';
import { createReplySender } from './retrieval/reply-sender.js';
import { createRetrievalProcessor } from './retrieval/retrieval.processor.js';

/** Pages at once; the embedder, not this, is what limits ingestion. */
const INGEST_CONCURRENCY = 4;

export function compose(env: Record<string, string | undefined> = process.env): {
  service: Service;
  logger: Logger;
} {
  const config = readConfig(env);
  const logger = createLogger('retrieval-worker', config.logLevel);
  const { registry } = createMetrics('retrieval-worker');
  const metrics = createRetrievalMetrics(registry);
  const redis = connectRedis(config.redisUrl, 'request', logger);
  const workerRedis = connectRedis(config.redisUrl, 'worker', logger);
  const shelf = openQdrantShelf(config.qdrant);
  const embedders = new Embedders(config.embedders, embeddingObserver(metrics));
  const chunker = openPageChunker();
  const index = new CurrentIndex({
    shelf,
    embedders,
    openQuestions: (embedder) => openQueryVectors({ embedder, redis, logger, metrics }),
    onSearchBatch: (size) => metrics.searchBatchSize.observe(size),
    preset: config.preset,
    fusionWeight: config.fusionWeight,
    logger,
  });

  const retrieve = createRetrievalProcessor({
    index,
    reranker: config.reranker && openCohereReranker(config.reranker, logger),
    neighbours: config.neighbours,
    metrics,
    sendReply: createReplySender(redis, logger),
    logger,
  });
  const ingest = createIngestProcessor({
    indexName: config.qdrant.collection,
    shelf,
    embedders,
    chunker,
    redis,
    logger,
  });
  const shared = { connection: workerRedis, logger };
  const workers = [
    openWorker('retrieval', retrieve, { ...shared, concurrency: config.retrievalConcurrency }),
    openWorker('ingest', ingest, { ...shared, concurrency: INGEST_CONCURRENCY }),
  ];

  const stopping = new AbortController();
  let metricsServer: MetricsServer | undefined;
  let sayGoodbye = () => Promise.resolve();
  let stopped: Promise<void> | undefined;

  const service: Service = {
    async start() {
      const { signal } = stopping;
      await Promise.all([
        awaitRedis(redis, STORE_START_LIMIT_MS),
        awaitIndex(() => index.start(), { logger, signal, timeoutMs: STORE_START_LIMIT_MS }),
      ]);
      signal.throwIfAborted();
      if (config.metrics) metricsServer = await serveMetrics(registry, config.metrics).catch(notServed);
      for (const worker of workers) worker.start();
      sayGoodbye = announcePresence(redis, 'retrieval-worker');
    },
    stop: () => (stopped ??= stop()),
  };

  /** Figures are not worth an outage: a second worker on this host finds the port taken. */
  function notServed(error: unknown): undefined {
    logger.error({ error }, 'Metrics are not served: set another METRICS_PORT');
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.allSettled([sayGoodbye(), ...workers.map((worker) => worker.close())]);
    index.stop();
    await Promise.allSettled([embedders.close(), chunker.close(), metricsServer?.close()]);
    redis.disconnect();
    workerRedis.disconnect();
  }

  return { service, logger };
}
