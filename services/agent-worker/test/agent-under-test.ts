import { randomUUID } from 'node:crypto';
import type { ChatRequest, RetrievalResult, RunEvent } from '@quire/shared/contracts';
import { announceCancel } from '@quire/shared/cancellation';
import {
  claimRun,
  findRun,
  insertRuns,
  openDatabase,
  requestCancel,
  type Database,
  type Run,
} from '@quire/shared/database';
import { FairOrder, lockKey, openQueue, openWorker, type JobHandler } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { redisKeys } from '@quire/shared/redis';
import { RunLog } from '@quire/shared/run-log';
import { startScriptedProviders, type ScriptedProviders } from '@quire/scripted-providers';
import { createTestDatabase, eventually, testRedisUrl, type TestDatabase } from '@quire/testkit';
import { Redis } from 'ioredis';
import { compose } from '../src/compose.js';
import { foundPassages } from './found-passages.js';

export interface AgentOptions {
  models?: string;
  apiKey?: string | undefined;
  database?: TestDatabase;
  /** The URL under which the agent reaches the database, if not directly. */
  databaseUrl?: string;
  retrievalTimeoutMs?: number;
  rewriteTimeoutMs?: number;
  prices?: Record<string, { input: number; output: number }>;
  promptTokenBudget?: number;
  redisUrl?: string;
  metricsPort?: number;
  /** Another worker's scripted providers, which that worker closes. */
  providers?: ScriptedProviders;
  firstTokenMs?: number;
  idleMs?: number;
  reconcileEveryMs?: number;
  disconnectGraceMs?: number;
  threadIdleMs?: number;
  archiveEveryMs?: number;
  concurrency?: number;
}

export interface AgentUnderTest {
  db: Database;
  database: TestDatabase;
  redis: Redis;
  redisUrl: string;
  runLog: RunLog;
  providers: ScriptedProviders;
  /** Sets the handler of retrieval jobs from now on. */
  retrieve(handler: JobHandler<'retrieval'>): void;
  ask(
    request?: Partial<ChatRequest>,
    deadlineMs?: number,
    how?: { enqueue?: boolean; tenant?: string },
  ): Promise<string>;
  enqueue(runId: string): Promise<void>;
  /** Cancels the run like the gateway. */
  cancel(runId: string): Promise<void>;
  /** Takes the run over like another worker: the lock of its job, then the claim. */
  takeOver(runId: string): Promise<Run | undefined>;
  /** Closes every circuit breaker, so that failures of one test do not affect another. */
  forgetFailures(): Promise<void>;
  /** Ends the open time of every circuit breaker: the next call is a probe. */
  halfOpenBreakers(): Promise<void>;
  /** Stops the worker like SIGTERM, with its grace period. */
  stop(): Promise<void>;
  events(runId: string): Promise<RunEvent[]>;
  /** Waits until the run has ended and its outcome is announced. */
  ended(runId: string): Promise<Run & { events: RunEvent[] }>;
  close(): Promise<void>;
}

/** Starts the agent worker in this process, on real stores and a scripted model; the test acts as gateway and retrieval. */
export async function startAgent(options: AgentOptions = {}): Promise<AgentUnderTest> {
  const logger = createLogger('test', 'silent');
  const redisUrl = options.redisUrl ?? (await testRedisUrl());
  const database = options.database ?? (await createTestDatabase());
  const providers = options.providers ?? (await startScriptedProviders());
  const { service } = compose({
    REDIS_URL: redisUrl,
    DATABASE_URL: options.databaseUrl ?? database.url,
    ...('apiKey' in options
      ? options.apiKey !== undefined && { GEMINI_API_KEY: options.apiKey }
      : { GEMINI_API_KEY: 'key' }),
    GEMINI_BASE_URL: providers.geminiBaseUrl,
    GEMINI_MODELS: (options.models ?? 'first,second').split(','),
    GEMINI_FIRST_TOKEN_TIMEOUT_MS: options.firstTokenMs ?? 15_000,
    GEMINI_IDLE_TIMEOUT_MS: options.idleMs ?? 20_000,
    RETRIEVAL_TIMEOUT_MS: options.retrievalTimeoutMs ?? 30_000,
    REWRITE_TIMEOUT_MS: options.rewriteTimeoutMs ?? 5000,
    PROMPT_TOKEN_BUDGET: options.promptTokenBudget ?? 16_000,
    MODEL_PRICES: options.prices ?? {},
    METRICS_HOST: '127.0.0.1',
    ...(options.metricsPort !== undefined && { METRICS_PORT: options.metricsPort }),
    RECONCILE_EVERY_MS: options.reconcileEveryMs ?? 60_000,
    DISCONNECT_GRACE_MS: options.disconnectGraceMs ?? 10_000,
    THREAD_IDLE_MS: options.threadIdleMs ?? 3_600_000,
    ARCHIVE_EVERY_MS: options.archiveEveryMs ?? 60_000,
    AGENT_CONCURRENCY: options.concurrency ?? 20,
    LOG_LEVEL: 'silent',
  });
  await service.start();

  const db = openDatabase(database.url, logger, 2);
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const runLog = new RunLog(redis);
  const chat = openQueue('chat', redis);
  const fairOrder = new FairOrder(redis);
  let retrieveNow: JobHandler<'retrieval'> = () => Promise.resolve(foundPassages());
  const retrieval = openWorker(
    'retrieval',
    replying(redis, (...args) => retrieveNow(...args)),
    {
      connection: redis,
      concurrency: 20,
      logger,
      graceMs: 100,
    },
  );
  retrieval.start();

  const events = async (runId: string) => {
    const entries = await runLog.read(runId, 0, 1000);
    return entries.map(({ type, data }) => ({ type, data: JSON.parse(data) as unknown }) as RunEvent);
  };
  const enqueue = async (runId: string) => {
    const run = await findRun(db, runId);
    const { priority } = await fairOrder.assign(run?.tenant ?? 'local');
    await chat.add(runId, { run_id: runId, deadline_at: run?.deadlineAt.getTime() ?? Date.now() }, priority);
  };

  return {
    db,
    database,
    redis,
    redisUrl,
    runLog,
    providers,
    retrieve: (handler) => (retrieveNow = handler),
    async ask(request = {}, deadlineMs = 60_000, { enqueue: isEnqueued = true, tenant = 'local' } = {}) {
      const id = randomUUID();
      const acceptedAt = new Date();
      const deadlineAt = new Date(acceptedAt.getTime() + deadlineMs);
      const whole = { message: 'How do nodes talk?', session_id: randomUUID(), top_k: 5, ...request };
      await insertRuns(db, [{ id, tenant, request: whole, acceptedAt, deadlineAt }]);
      if (isEnqueued) await enqueue(id);
      return id;
    },
    enqueue,
    async cancel(runId) {
      await requestCancel(db, runId);
      await announceCancel(redis, runId);
    },
    async takeOver(runId) {
      await redis.set(lockKey('chat', runId), 'another worker');
      return claimRun(db, runId);
    },
    async forgetFailures() {
      const keys = await redis.keys(redisKeys.modelBreaker('*'));
      if (keys.length > 0) await redis.del(keys);
    },
    async halfOpenBreakers() {
      for (const key of await redis.keys(redisKeys.modelBreaker('*'))) {
        const breaker = JSON.parse((await redis.get(key)) ?? '{}') as object;
        await redis.set(key, JSON.stringify({ ...breaker, open_until: 0 }), 'KEEPTTL');
      }
    },
    stop: () => service.stop(),
    events,
    ended: (runId) =>
      eventually(async () => {
        const run = await findRun(db, runId);
        const told = await events(runId);
        const last = told.at(-1);
        if (!run?.outcome || last?.type !== run.outcome.type) throw new Error(`still ${last?.type}`);
        return { ...run, events: told };
      }),
    async close() {
      await service.stop();
      await retrieval.close();
      await chat.close();
      redis.disconnect();
      if (!options.providers) await providers.close();
      await db.destroy();
      await database.drop();
    },
  };
}

/** Replies like the retrieval worker: on the channel of the asking process and as the job's result. */
function replying(redis: Redis, retrieve: JobHandler<'retrieval'>): JobHandler<'retrieval'> {
  return async (payload, context) => {
    const result: RetrievalResult = await retrieve(payload, context);
    const reply = JSON.stringify({ job_id: context.jobId, ok: true, result });
    await redis.publish(redisKeys.replyChannel(payload.reply_to), reply);
    return result;
  };
}
