import { setTimeout as sleep } from 'node:timers/promises';
import { openQueue } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import { countUnfinished } from './read-stored.js';

/** What is still under way when the last client has gone has this long to end. */
const LIMIT_MS = 30_000;
const POLL_MS = 500;
const CONNECT_LIMIT_MS = 5000;

/** Waits until nothing is under way any more, and tells what still is when that takes too long. */
export async function settle(redisUrl: string, databaseUrl: string): Promise<string[]> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const leftovers = await underWay(redisUrl, databaseUrl);
    if (leftovers.length === 0 || Date.now() > deadline) return leftovers;
    await sleep(POLL_MS);
  }
}

async function underWay(redisUrl: string, databaseUrl: string): Promise<string[]> {
  const unfinished = await countUnfinished(databaseUrl);
  return [
    ...(await jobsUnderWay(redisUrl)),
    ...(unfinished > 0 ? [`${unfinished} runs without an outcome in Postgres`] : []),
  ];
}

async function jobsUnderWay(redisUrl: string): Promise<string[]> {
  const redis = connectRedis(redisUrl, 'request', createLogger('chaos', 'silent'));
  try {
    await awaitRedis(redis, CONNECT_LIMIT_MS);
    const left: string[] = [];
    for (const name of ['chat', 'retrieval'] as const) {
      const queue = openQueue(name, redis);
      const { waiting = 0, active = 0, delayed = 0 } = await queue.counts();
      await queue.close();
      if (waiting + active + delayed > 0) {
        left.push(`${waiting} waiting, ${active} active, ${delayed} delayed jobs in the ${name} queue`);
      }
    }
    return left;
  } finally {
    redis.disconnect();
  }
}
