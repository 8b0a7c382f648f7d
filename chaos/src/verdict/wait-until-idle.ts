import { setTimeout as sleep } from 'node:timers/promises';
import { jobsUnderWay } from './jobs-under-way.js';
import { countUnfinished } from './read-stored.js';

/** The time that runs and jobs have to end after the last client. */
const LIMIT_MS = 30_000;
const POLL_MS = 500;

/** Waits until no run and no job is unfinished; returns those that are after the limit. */
export async function waitUntilIdle(redisUrl: string, databaseUrl: string): Promise<string[]> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const leftovers = await unfinishedWork(redisUrl, databaseUrl);
    if (leftovers.length === 0 || Date.now() > deadline) return leftovers;
    await sleep(POLL_MS);
  }
}

async function unfinishedWork(redisUrl: string, databaseUrl: string): Promise<string[]> {
  const runs = await countUnfinished(databaseUrl);
  return [
    ...(await jobsUnderWay(redisUrl)),
    ...(runs > 0 ? [`${runs} runs without an outcome in Postgres`] : []),
  ];
}
