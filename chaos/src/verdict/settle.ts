import { setTimeout as sleep } from 'node:timers/promises';
import { jobsUnderWay } from './jobs-under-way.js';
import { countUnfinished } from './read-stored.js';

/** What is still under way when the last client has gone has this long to end. */
const LIMIT_MS = 30_000;
const POLL_MS = 500;

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
