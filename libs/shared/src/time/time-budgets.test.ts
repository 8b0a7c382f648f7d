import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { jobCatalogue, longestTakeoverMs } from '../jobs/index.js';
import { timeBudgets } from './time-budgets.js';

const { stop, presence, redis, postgres, health, run, stream, retrieval } = timeBudgets;
/** `RUN_DEADLINE_MS` may be this long. */
const LONGEST_DEADLINE_MS = 600_000;
/** What reverse proxies and load balancers commonly allow an idle connection. */
const PROXY_IDLE_MS = 60_000;
/** The longest time for which BullMQ blocks a connection. */
const BULLMQ_BLOCK_MS = 10_000;

/** A number in a file that cannot import the table. */
function numberIn(file: string, pattern: RegExp): number {
  const text = readFileSync(join(import.meta.dirname, '../../../..', file), 'utf8');
  return Number(pattern.exec(text)?.[1]?.replaceAll('_', ''));
}

/** The promise for runs of a worker that died. */
const TAKEOVER_MS = numberIn('chaos/src/verdict/takeovers.ts', /LIMIT_MS = ([\d_]+);/);
const CHAOS_GRACE_MS = numberIn('chaos/src/world/supervised-service.ts', /GRACE_MS = ([\d_]+);/);
const SUPERVISOR_GRACE_MS = numberIn(
  'tools/stack/src/supervisor/supervised-service.ts',
  /GRACE_MS = ([\d_]+);/,
);
const COMPOSE_GRACE_MS = 1000 * numberIn('docker-compose.yml', /stop_grace_period: (\d+)s/);
const HEALTHCHECKS_MS = ['gateway', 'agent-worker', 'retrieval-worker'].map(
  (service) => 1000 * numberIn(`services/${service}/Dockerfile`, /HEALTHCHECK .*--timeout=(\d+)s/),
);

it.each([
  [
    'a worker hands its jobs back and disconnects before its process exits',
    [stop.jobGraceMs + stop.handBackMs + stop.disconnectMs, stop.processMs],
  ],
  [
    'a gateway drains, closes its connections and gives its slots back before its process exits',
    [stop.drainMs + 2 * stop.disconnectMs, stop.processMs],
  ],
  ['a process exits by itself before the supervisor kills it', [stop.processMs, SUPERVISOR_GRACE_MS]],
  ['a process exits by itself before the chaos run kills it', [stop.processMs, CHAOS_GRACE_MS]],
  ['a process exits by itself before compose kills its container', [stop.processMs, COMPOSE_GRACE_MS]],
  ['a run is handed back before the worker stops waiting', [stop.runHandBackMs, stop.handBackMs]],
  ['a chat job of a dead worker is executed again in time', [longestTakeoverMs('chat'), TAKEOVER_MS]],
  [
    'a retrieval job of a dead worker is executed again in time',
    [longestTakeoverMs('retrieval'), TAKEOVER_MS],
  ],
  ['a worker may miss two renewals of its presence', [3 * presence.renewEveryMs, presence.goneAfterMs]],
  [
    'a health check ends by itself before Docker ends it',
    [presence.healthCheckMs, Math.min(...HEALTHCHECKS_MS)],
  ],
  [
    'an ingestion may miss two renewals of its lease',
    [3 * timeBudgets.indexLease.renewEveryMs, timeBudgets.indexLease.ttlMs],
  ],
  [
    'a page writer may miss a renewal of its lease',
    [2 * timeBudgets.pageLease.renewEveryMs, timeBudgets.pageLease.ttlMs],
  ],
  [
    'a gateway may miss a renewal of its slots',
    [2 * timeBudgets.slotLease.renewEveryMs, timeBudgets.slotLease.leaseMs],
  ],
  ['a Redis connection is pinged before a response is overdue', [redis.pingEveryMs, redis.responseMs]],
  ['a request fails before its Redis connection is replaced', [redis.commandMs, redis.responseMs]],
  ['BullMQ may block a connection without its being replaced', [BULLMQ_BLOCK_MS, redis.blockingResponseMs]],
  [
    'the pulse of Redis stops before a command times out',
    [redis.pulseSilenceMs + redis.pulseEveryMs, redis.commandMs],
  ],
  ['one unanswered ping does not stop the pulse', [redis.pulseEveryMs, redis.pulseSilenceMs]],
  [
    'a silent Redis connection is replaced before followers read Postgres',
    [redis.pingEveryMs + redis.responseMs, run.rereadMs],
  ],
  ['Postgres ends a slow statement before the client gives it up', [postgres.statementMs, postgres.queryMs]],
  ['a commit that was given up is retried', [postgres.queryMs + postgres.connectMs, postgres.commitRetryMs]],
  [
    'an insert without a response has ended before its row is no longer looked for',
    [postgres.connectMs + postgres.queryMs, run.withdrawMs],
  ],
  ['a table that is locked is no failed write', [health.writeLockMs, health.checkMs]],
  [
    'a cancelled run is found in Postgres twice before its caller stops waiting',
    [2 * run.cancelCheckEveryMs, run.cancelConfirmMs],
  ],
  ['an enqueue has ended before the reconciler repeats it', [redis.commandMs, run.leftToGatewayMs + 1]],
  ['a proxy sees two heartbeats before it closes an idle stream', [2 * stream.heartbeatMs, PROXY_IDLE_MS]],
  [
    'a reader is sent several heartbeats before it counts as stuck',
    [3 * stream.heartbeatMs, stream.sendTimeoutMs],
  ],
  ['a proxy closes an idle connection before the gateway does', [PROXY_IDLE_MS, stream.keepAliveMs]],
  [
    'a search embeds and reads Qdrant twice within the time limit of its job',
    [2 * (retrieval.embedQuestionMs + retrieval.qdrantReadMs), jobCatalogue.retrieval.timeLimitMs],
  ],
  [
    'a stored result is polled before BullMQ removes it',
    [retrieval.pollReplyMs, 1000 * jobCatalogue.retrieval.keepCompleted.age],
  ],
  [
    'a page is parsed, embedded and written within the time limit of its job',
    [
      retrieval.parsePageMs + retrieval.embedPassagesMs + retrieval.qdrantWriteMs,
      jobCatalogue.ingest.timeLimitMs,
    ],
  ],
  [
    'a summary ends by itself before its job is aborted',
    [timeBudgets.summaryMs, jobCatalogue.summary.timeLimitMs],
  ],
  [
    'the longest deadline fits into the time limit of a chat job',
    [LONGEST_DEADLINE_MS, jobCatalogue.chat.timeLimitMs + 1],
  ],
  ['a chat job is retried until the longest deadline', [LONGEST_DEADLINE_MS, shortestRetriesMs() + 1]],
])('%s', (_rule, [shorter, longer]) => {
  expect(shorter).toBeLessThan(longer as number);
});

function shortestRetriesMs(): number {
  const { attempts, backoff } = jobCatalogue.chat;
  return (attempts - 1) * backoff.delay * (1 - backoff.jitter);
}
