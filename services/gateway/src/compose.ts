import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate, openDatabase, tryWrite } from '@quire/shared/database';
import { FairOrder, openQueue } from '@quire/shared/jobs';
import { createLogger, type Logger } from '@quire/shared/logging';
import { createRegistry, serveConfiguredMetrics, type MetricsServer } from '@quire/shared/metrics';
import { RedisCircuitBreaker } from '@quire/shared/models';
import { agentCapacities, type Service } from '@quire/shared/process';
import { connectQdrant } from '@quire/shared/qdrant';
import { awaitRedis, connectRedis, redisKeys, RedisPulse } from '@quire/shared/redis';
import { RetrievalClient } from '@quire/shared/retrieval';
import { RunLog, RunLogHub } from '@quire/shared/run-log';
import { timeBudgets } from '@quire/shared/time';
import type { Express } from 'express';
import { Admission } from './admission/admission.js';
import { KnownCapacities } from './admission/worker-capacity.js';
import { ApiKeys } from './auth/api-keys.js';
import { authenticate } from './auth/authenticate.js';
import { KeyedQueue } from './chat/keyed-queue.js';
import { PositionAnnouncer } from './chat/position-announcer.js';
import { RunInserter } from './chat/run-inserter.js';
import { Withdrawals } from './chat/withdrawals.js';
import type { GatewayConfig } from './config.js';
import { closeServer, Draining } from './draining.js';
import { checkPostgres, checkQdrant, checkRedis } from './health/dependency-checks.js';
import { WriteCheck } from './health/write-check.js';
import { createApp } from './http/app.js';
import { expressMessages } from './http/express-messages.js';
import { createHttpServer } from './http/http-server.js';
import { mountRoutes } from './http/mount-routes.js';
import { trackPreconnections } from './http/preconnections.js';
import { Limits } from './limits/limits.js';
import { RateLimit } from './limits/rate-limit.js';
import { RunSlots } from './limits/run-slots.js';
import { Slots } from './limits/slots.js';
import { openApiDocument } from './openapi/openapi-document.js';
import { packageVersion } from './package-version.js';
import { RedisAccess } from './redis-access.js';
import { routeGroups, routes } from './routes.js';

const QDRANT_CHECK_LIMIT_MS = 2000;
/** How often `/health` tries to write: a key, and a row in a transaction that is rolled back. */
const TRY_REDIS_EVERY_MS = 1000;
const TRY_POSTGRES_EVERY_MS = 5000;
const WRITE_PROBE_KEPT_MS = 60_000;
/** How long callers may wait for their JSON once the process stops. */
const DRAIN_GRACE_MS = timeBudgets.stop.drainMs;

export interface Gateway {
  service: Service;
  logger: Logger;
  server: Server;
  app: Express;
}

export function compose(config: GatewayConfig, drainGraceMs = DRAIN_GRACE_MS): Gateway {
  const logger = createLogger('gateway', config.LOG_LEVEL);
  const registry = createRegistry('gateway');
  const db = openDatabase(config.DATABASE_URL, logger);
  const redis = connectRedis(config.REDIS_URL, 'request', logger);
  const subscriber = connectRedis(config.REDIS_URL, 'subscriber', logger);
  const replySubscriber = connectRedis(config.REDIS_URL, 'subscriber', logger);
  const queues = {
    chat: openQueue('chat', redis),
    retrieval: openQueue('retrieval', redis),
    ingest: openQueue('ingest', redis),
    summary: openQueue('summary', redis),
  };
  const runLog = new RunLog(redis);
  const hub = new RunLogHub(subscriber);
  const retrieval = new RetrievalClient(queues.retrieval, replySubscriber);
  const draining = new Draining();
  const pulse = new RedisPulse(redis);
  const redisAccess = new RedisAccess(pulse);
  const fairOrder = new FairOrder(redis);
  const capacities = new KnownCapacities(() => agentCapacities(redis));
  const admission = new Admission({
    fairOrder,
    redisAccess,
    capacities,
    maxExpectedWaitMs: config.MAX_EXPECTED_WAIT_MS,
  });
  const announcer = new PositionAnnouncer(queues.chat, runLog);
  const slots = new Slots(redis);
  const runSlots = new RunSlots(db);
  const withdrawals = new Withdrawals(db, logger);
  const periodicTasks = [slots.renewal, runSlots.endCheck, withdrawals.lateRowCheck, announcer.announcements];
  const limits = new Limits({
    rate: new RateLimit(redis),
    slots,
    redisAccess,
    capacities,
    defaults: {
      ratePerMinute: config.RATE_LIMIT_PER_MINUTE,
      maxConcurrent: config.MAX_CONCURRENT_PER_KEY,
    },
  });
  const qdrant = connectQdrant(
    { url: config.QDRANT_URL, apiKey: config.QDRANT_API_KEY },
    QDRANT_CHECK_LIMIT_MS,
  );

  const redisWrites = new WriteCheck(
    () => redis.set(redisKeys.writeProbe, '1', 'PX', WRITE_PROBE_KEPT_MS),
    TRY_REDIS_EVERY_MS,
  );
  const postgresWrites = new WriteCheck(() => tryWrite(db), TRY_POSTGRES_EVERY_MS);
  const deps = {
    db,
    redis,
    redisAccess,
    inserter: new RunInserter(db, postgresWrites),
    withdrawals,
    runSlots,
    queue: queues.chat,
    queues,
    fairOrder,
    runLog,
    hub,
    limits,
    admission,
    keyedQueue: new KeyedQueue(),
    announcer,
    draining,
    retrieval,
    deadlineMs: config.RUN_DEADLINE_MS,
    searchTimeoutMs: config.SEARCH_TIMEOUT_MS,
    breaker: new RedisCircuitBreaker(redis),
    checks: {
      redis: checkRedis(redis, redisWrites),
      postgres: checkPostgres(db, postgresWrites),
      qdrant: checkQdrant(qdrant, config.QDRANT_COLLECTION),
    },
    openApiJson: JSON.stringify(openApiDocument(routeGroups, packageVersion)),
  };
  const app = createApp(logger, {
    ...mountRoutes(routes, deps),
    authenticate: config.AUTH === 'on' ? authenticate(new ApiKeys(db, secretOf(config))) : undefined,
    corsOrigins: config.CORS_ORIGINS,
  });
  const server = createHttpServer(app, undefined, expressMessages(app));
  const closePreconnections = trackPreconnections(server);
  let metricsServer: MetricsServer | undefined;

  const start = async () => {
    await Promise.all([
      awaitRedis(redis, timeBudgets.storeStartMs),
      migrate(config.DATABASE_URL, logger, timeBudgets.storeStartMs),
    ]);
    pulse.start();
    for (const task of periodicTasks) task.start();
    await retrieval.start();
    metricsServer = await serveConfiguredMetrics(registry, config, logger);
    server.listen(config.PORT, config.HOST);
    await once(server, 'listening');
    logger.info({ stage: 'gateway', address: server.address() }, 'Listening');
  };

  const stop = async () => {
    draining.begin();
    // Load balancers see in /health/ready that they are to use another gateway, before requests are refused.
    if (server.listening) await sleep(config.DRAIN_NOTICE_MS);
    pulse.stop();
    if (server.listening) {
      const closed = closeServer(server, draining, drainGraceMs - config.DRAIN_NOTICE_MS);
      closePreconnections();
      await closed;
    }
    // Not awaited: a pass under way may wait for a store that hangs.
    for (const task of periodicTasks) void task.stop();
    await slots.releaseAll();
    await Promise.allSettled([
      metricsServer?.close(),
      ...Object.values(queues).map((queue) => queue.close()),
    ]);
    redis.disconnect();
    subscriber.disconnect();
    replySubscriber.disconnect();
    await db.destroy();
  };

  return { service: { start, stop }, logger, server, app };
}

function secretOf({ API_KEY_SECRET }: GatewayConfig): string {
  if (API_KEY_SECRET === undefined) throw new Error('Authentication needs API_KEY_SECRET');
  return API_KEY_SECRET;
}
