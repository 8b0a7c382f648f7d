import { openWorker } from '@quire/shared/jobs';
import { createLogger, type Logger } from '@quire/shared/logging';
import { createRegistry, serveConfiguredMetrics, type MetricsServer } from '@quire/shared/metrics';
import { announcePresence, type Service } from '@quire/shared/process';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import { timeBudgets } from '@quire/shared/time';
import type { RetrievalConfig } from './config.js';
import { Embedders } from './embedding/embedders.js';
import { openQueryVectors } from './embedding/query-vectors.js';
import { awaitIndex } from './index/await-index.js';
import { openQdrantCollections } from './index/qdrant-index-collections.js';
import { createIngestProcessor } from './ingestion/ingest.processor.js';
import { openPageChunker } from './ingestion/page-chunker.js';
import { createRetrievalMetrics, embeddingObserver } from './metrics.js';
import { embedderAccess, rerankerAccess } from './providers/provider-access.js';
import { openCohereReranker } from './reranking/cohere-reranker.js';
import { CurrentIndex } from './retrieval/current-index.js';
import { createReplySender } from './retrieval/reply-sender.js';
import { createRetrievalProcessor } from './retrieval/retrieval.processor.js';

/** Pages at once; ingestion is limited by the embedder. */
const INGEST_CONCURRENCY = 4;

export function compose(config: RetrievalConfig): { service: Service; logger: Logger } {
  const logger = createLogger('retrieval-worker', config.LOG_LEVEL);
  const registry = createRegistry('retrieval-worker');
  const metrics = createRetrievalMetrics(registry);
  const redis = connectRedis(config.REDIS_URL, 'request', logger);
  const workerRedis = connectRedis(config.REDIS_URL, 'worker', logger);
  const collections = openQdrantCollections({
    url: config.QDRANT_URL,
    apiKey: config.QDRANT_API_KEY,
    collection: config.QDRANT_COLLECTION,
  });
  const embedders = new Embedders(embedderAccess(config), embeddingObserver(metrics));
  const chunker = openPageChunker();
  const index = new CurrentIndex({
    collections,
    embedders,
    openQuestions: (embedder) => openQueryVectors({ embedder, redis, logger, metrics }),
    onSearchBatch: (size) => metrics.searchBatchSize.observe(size),
    preset: config.CONFIDENCE_PRESET,
    fusionWeight: config.FUSION_WEIGHT,
    logger,
  });

  const reranker = rerankerAccess(config);
  const retrieve = createRetrievalProcessor({
    index,
    reranker: reranker && openCohereReranker(reranker, logger),
    neighbours: config.RETRIEVAL_NEIGHBOURS,
    metrics,
    sendReply: createReplySender(redis, logger),
    logger,
  });
  const ingest = createIngestProcessor({
    indexName: config.QDRANT_COLLECTION,
    collections,
    embedders,
    chunker,
    redis,
    logger,
  });
  const shared = { connection: workerRedis, logger };
  const workers = [
    openWorker('retrieval', retrieve, { ...shared, concurrency: config.RETRIEVAL_CONCURRENCY }),
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
        awaitRedis(redis, timeBudgets.storeStartMs),
        awaitIndex(() => index.start(), { logger, signal, timeoutMs: timeBudgets.storeStartMs }),
      ]);
      signal.throwIfAborted();
      metricsServer = await serveConfiguredMetrics(registry, config, logger);
      for (const worker of workers) worker.start();
      sayGoodbye = announcePresence(redis, 'retrieval-worker');
    },
    stop: () => (stopped ??= stop()),
  };

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
