import { Cancellations } from '@quire/shared/cancellation';
import { migrate, openDatabase, standingOf } from '@quire/shared/database';
import { FairOrder, openQueue, openWorker } from '@quire/shared/jobs';
import { createLogger, type Logger } from '@quire/shared/logging';
import { createRegistry, serveConfiguredMetrics, type MetricsServer } from '@quire/shared/metrics';
import { announceModels, RedisCircuitBreaker } from '@quire/shared/models';
import { announceCapacity, announcePresence, type Service } from '@quire/shared/process';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import { RetrievalClient } from '@quire/shared/retrieval';
import { RunLog } from '@quire/shared/run-log';
import { timeBudgets, within } from '@quire/shared/time';
import { idleThreadArchival } from './archival/archive-idle.js';
import { redisCompaction } from './compaction/compact-redis.js';
import type { AgentConfig } from './config.js';
import { openModelChain } from './generation/open-model-chain.js';
import { AgentMetrics } from './metrics.js';
import { cancelAbandoned } from './reconciliation/cancel-abandoned.js';
import { runReconciler } from './reconciliation/reconciler.js';
import { chatProcessor } from './run/chat.processor.js';
import { ServiceTime } from './run/service-time.js';
import { summaryProcessor } from './summary/summary.processor.js';

/** Few, because no client waits for a summary. */
const SUMMARIES_AT_ONCE = 2;

export function compose(config: AgentConfig): { service: Service; logger: Logger } {
  const logger = createLogger('agent-worker', config.LOG_LEVEL);
  const registry = createRegistry('agent-worker');
  const metrics = new AgentMetrics(registry);
  const db = openDatabase(config.DATABASE_URL, logger);
  const redis = connectRedis(config.REDIS_URL, 'worker', logger);
  const requestRedis = connectRedis(config.REDIS_URL, 'request', logger);
  const subscriber = connectRedis(config.REDIS_URL, 'subscriber', logger);
  const retrievalQueue = openQueue('retrieval', redis);
  const retrieval = new RetrievalClient(retrievalQueue, subscriber);
  const cancellations = new Cancellations(subscriber, { standingOf: (ids) => standingOf(db, ids) });
  const breaker = new RedisCircuitBreaker(requestRedis);
  const chain = openModelChain(config, breaker, (model, outcome) => metrics.modelCalled(model, outcome));
  const serviceTime = new ServiceTime();
  const graceMs = config.DISCONNECT_GRACE_MS;
  const summaryQueue = openQueue('summary', requestRedis);
  const summaryWorker = openWorker(
    'summary',
    summaryProcessor({ db, chain, prices: config.MODEL_PRICES, metrics, logger }),
    { connection: redis, concurrency: SUMMARIES_AT_ONCE, logger },
  );
  const worker = openWorker(
    'chat',
    chatProcessor({
      db,
      runLog: new RunLog(redis),
      retrieval,
      cancellations,
      cancelIfLeft: async (runId) => (await cancelAbandoned({ db, redis, graceMs }, runId)).length > 0,
      fairOrder: new FairOrder(redis),
      serviceTime,
      chain,
      prices: config.MODEL_PRICES,
      summaryQueue,
      settings: {
        retrievalTimeoutMs: config.RETRIEVAL_TIMEOUT_MS,
        rewriteTimeoutMs: config.REWRITE_TIMEOUT_MS,
        promptTokenBudget: config.PROMPT_TOKEN_BUDGET,
      },
      metrics,
      logger,
    }),
    { connection: redis, concurrency: config.AGENT_CONCURRENCY, logger },
  );
  // On `requestRedis`, whose commands fail at once while Redis is away; those of `redis` wait.
  const chatQueue = openQueue('chat', requestRedis);
  const reconciler = runReconciler({
    db,
    redis: requestRedis,
    queue: chatQueue,
    fairOrder: new FairOrder(requestRedis),
    runLog: new RunLog(requestRedis),
    everyMs: config.RECONCILE_EVERY_MS,
    graceMs,
    metrics,
    logger,
  });
  const archival = idleThreadArchival({
    db,
    idleMs: config.THREAD_IDLE_MS,
    everyMs: config.ARCHIVE_EVERY_MS,
    logger,
  });
  const compaction = redisCompaction({ redis: requestRedis, logger });
  let announcements: (() => Promise<void>)[] = [];
  let metricsServer: MetricsServer | undefined;

  const start = async () => {
    await Promise.all([
      awaitRedis(redis, timeBudgets.storeStartMs),
      migrate(config.DATABASE_URL, logger, timeBudgets.storeStartMs),
    ]);
    await retrieval.start();
    await cancellations.start();
    metricsServer = await serveConfiguredMetrics(registry, config, logger);
    worker.start();
    reconciler.start();
    archival.start();
    compaction.start();
    const models = chain.models.map(({ id, name }, position) => ({ id, model: name, position }));
    announcements = [
      announcePresence(redis, 'agent-worker'),
      announceModels(redis, models),
      announceCapacity(redis, () => ({
        concurrency: config.AGENT_CONCURRENCY,
        service_ms: serviceTime.ms,
      })),
    ];
    // Without a model this worker would take jobs from workers that have one.
    if (models.length > 0) summaryWorker.start();
    else {
      logger.warn({ stage: 'agent' }, 'GEMINI_API_KEY is not set: every answer will be retrieval_only');
    }
  };

  const stop = async () => {
    const withdrawn = announcements.map((withdraw) => withdraw());
    const tasks = [reconciler, archival, compaction].map((task) => task.stop());
    await Promise.all([...withdrawn, worker.close(), summaryWorker.close(), ...tasks]);
    await Promise.all([retrievalQueue, chatQueue, summaryQueue].map((queue) => queue.close()));
    await metricsServer?.close();
    for (const connection of [redis, requestRedis, subscriber]) connection.disconnect();
    // The pool waits for its connections, which a Postgres that hangs does not close.
    await within(timeBudgets.stop.disconnectMs, db.destroy());
  };

  return { service: { start, stop }, logger };
}
