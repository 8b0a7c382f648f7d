import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunEvent, RunOutcome } from '@quire/shared/contracts';
import { finishRun, openDatabase, type Database } from '@quire/shared/database';
import { createLogger } from '@quire/shared/logging';
import { RunEnded, RunLog } from '@quire/shared/run-log';
import { createTestDatabase, eventually, qdrantUrl, testRedisUrl } from '@quire/testkit';
import type { Express } from 'express';
import { Redis } from 'ioredis';
import { compose } from '../src/compose.js';
import { TEST_SECRET } from './api-keys-for-test.js';

export interface GatewayUnderTest {
  url: string;
  server: Server;
  app: Express;
  db: Database;
  redis: Redis;
  runLog: RunLog;
  redisUrl: string;
  databaseUrl: string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  send(method: string, path: string, body?: unknown): Promise<Response>;
  /** The id of the run that was accepted for this question. */
  runOf(message: string): Promise<string>;
  /** Plays the agent worker: commits the outcome, then announces it. */
  conclude(outcome: RunOutcome): Promise<void>;
  stopService(): Promise<void>;
  close(): Promise<void>;
}

export interface GatewayOptions {
  redisUrl?: string;
  databaseUrl?: string;
  collection?: string;
  deadlineMs?: number;
  searchTimeoutMs?: number;
  drainNoticeMs?: number;
  /** How long a gateway that stops waits for its callers. */
  drainGraceMs?: number;
  corsOrigins?: string[];
  /** Callers need a key; see `api-keys-for-test.ts`. */
  auth?: boolean;
  ratePerMinute?: number;
  maxConcurrent?: number;
  maxExpectedWaitMs?: number;
}

/** A gateway in this process on real stores; the test plays the workers through the run log and Postgres. */
export async function startGateway(options: GatewayOptions = {}): Promise<GatewayUnderTest> {
  const redisUrl = options.redisUrl ?? (await testRedisUrl());
  const database = await createTestDatabase();
  const gateway = compose(
    {
      HOST: '127.0.0.1',
      PORT: 0,
      AUTH: options.auth ? 'on' : 'off',
      API_KEY_SECRET: TEST_SECRET,
      REDIS_URL: redisUrl,
      DATABASE_URL: options.databaseUrl ?? database.url,
      QDRANT_URL: qdrantUrl(),
      QDRANT_COLLECTION: options.collection ?? 'none',
      RATE_LIMIT_PER_MINUTE: options.ratePerMinute ?? 100,
      MAX_CONCURRENT_PER_KEY: options.maxConcurrent ?? 10,
      MAX_EXPECTED_WAIT_MS: options.maxExpectedWaitMs ?? 30_000,
      RUN_DEADLINE_MS: options.deadlineMs ?? 60_000,
      SEARCH_TIMEOUT_MS: options.searchTimeoutMs ?? 10_000,
      DRAIN_NOTICE_MS: options.drainNoticeMs ?? 0,
      CORS_ORIGINS: options.corsOrigins ?? [],
      METRICS_HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
    },
    options.drainGraceMs,
  );
  await gateway.service.start();
  const url = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
  const db = openDatabase(options.databaseUrl ?? database.url, createLogger('test', 'silent'), 2);
  const redis = new Redis(redisUrl);
  redis.on('error', () => {});
  const runLog = new RunLog(redis);
  let stopped: Promise<void> | undefined;
  const stopService = () => (stopped ??= gateway.service.stop());
  return {
    url,
    server: gateway.server,
    app: gateway.app,
    db,
    redis,
    runLog,
    redisUrl,
    databaseUrl: options.databaseUrl ?? database.url,
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path, headers = {}) => fetch(url + path, { headers }),
    send: (method, path, body) =>
      fetch(url + path, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      }),
    runOf: (message) =>
      eventually(async () => {
        const runs = await db.selectFrom('runs').select(['id', 'request']).execute();
        const run = runs.find(({ request }) => request.message === message);
        if (!run) throw new Error(`no run for ${message}`);
        return run.id;
      }),
    async conclude(outcome) {
      await finishRun(db, outcome.data.request_id, outcome);
      // A gateway that follows a silent run may announce the stored outcome first.
      await runLog.append(outcome.data.request_id, 1, [outcome]).catch((error: unknown) => {
        if (!(error instanceof RunEnded)) throw error;
      });
    },
    stopService,
    async close() {
      await stopService();
      redis.disconnect();
      await db.destroy();
      await database.drop();
    },
  };
}

export const completed = (runId: string, answer = 'Nodes exchange messages on topics [1].'): RunOutcome => ({
  type: 'completed',
  data: {
    request_id: runId,
    session_id: '7b0c3a52-6d0f-4b3e-9a55-0d9a4c1f2e33',
    query: 'How do nodes communicate?',
    answer,
    sources: [],
    confidence: 0.8,
    confidence_level: 'high',
    should_answer: true,
    timestamp: new Date().toISOString(),
    metadata: {
      mode: 'full',
      low_confidence: false,
      retrieval_count: 3,
      model: 'scripted',
      tokens_used: { prompt: 1, completion: 2, total: 3 },
      timings_ms: { queued: 1, retrieval: 2, generation: 3, total: 6 },
      attempts: 1,
    },
  },
});

export const failed = (runId: string): RunOutcome => ({
  type: 'failed',
  data: {
    request_id: runId,
    error_code: 'RETRIEVAL_UNAVAILABLE',
    message: 'The index is not reachable',
    retry_after: 7,
  },
});

export const deltas = (runId: string, ...texts: string[]): RunEvent[] =>
  texts.map((text) => ({ type: 'delta', data: { request_id: runId, text } }));
