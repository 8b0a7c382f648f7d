import type { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { awaitRedis } from '../src/redis/index.js';
import { followRun, RunLog, RunLogHub, type FollowOptions, type RunLogEntry } from '../src/run-log/index.js';
import { redisForTest } from './open-for-test.js';

/** A follower reads the log only after a message or an interruption, so that a lost event makes its test hang. */
const NEVER_MS = 2 ** 30;

export type Following = AsyncGenerator<RunLogEntry | 'idle', void, void>;
export type Follow = (runId: string, options?: Partial<FollowOptions>) => Following;

export interface Gateway {
  log: RunLog;
  hub: RunLogHub;
  subscriber: Redis;
  follow: Follow;
}

/** The two connections with which a gateway serves all its followers. */
export async function gatewayForTest(logUrl: string, subscriberUrl = logUrl): Promise<Gateway> {
  const redis = redisForTest(logUrl, 'request');
  const subscriber = redisForTest(subscriberUrl, 'subscriber');
  const [log, hub] = [new RunLog(redis), new RunLogHub(subscriber)];
  await Promise.all([awaitRedis(redis, 20_000), awaitRedis(subscriber, 20_000)]);
  // The hub has notified its listeners of the new connection: a later notification has a later cause.
  await subscriber.ping();
  const testOver = new AbortController();
  onTestFinished(() => testOver.abort());
  const follow: Follow = (runId, options = {}) =>
    followRun(log, hub, runId, {
      after: 0,
      signal: AbortSignal.any([testOver.signal]),
      idleRereadMs: NEVER_MS,
      ...options,
    });
  return { log, hub, subscriber, follow };
}

/** Counts how often a follower reads the log. */
export class CountingLog extends RunLog {
  reads = 0;

  override read(...args: Parameters<RunLog['read']>): Promise<RunLogEntry[]> {
    this.reads += 1;
    return super.read(...args);
  }
}

/** All entries until the follower ends or `enough` have come. */
export async function collect(following: Following, enough = Infinity): Promise<RunLogEntry[]> {
  const entries: RunLogEntry[] = [];
  for await (const entry of following) {
    if (entry !== 'idle') entries.push(entry);
    if (entries.length >= enough) break;
  }
  return entries;
}

/** The next entry; skips `'idle'`. */
export async function nextEntry(following: Following): Promise<RunLogEntry | undefined> {
  for (;;) {
    const { value, done } = await following.next();
    if (done) return undefined;
    if (value !== 'idle') return value;
  }
}
