import { randomUUID } from 'node:crypto';
import type { RetrievalResult } from '@quire/shared/contracts';
import { openQueue } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import { RetrievalClient } from '@quire/shared/retrieval';

const ANSWER_LIMIT_MS = 30_000;
export const TOP_K = 5;

/** Asks over the queue as an agent worker does. */
export type Ask = (question: string) => Promise<RetrievalResult>;

export async function withAsker<T>(redisUrl: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const logger = createLogger('bench', 'silent');
  const redis = connectRedis(redisUrl, 'request', logger);
  const subscriber = connectRedis(redisUrl, 'subscriber', logger);
  try {
    await Promise.all([awaitRedis(redis, 5000), awaitRedis(subscriber, 5000)]);
    const queue = openQueue('retrieval', redis);
    const client = new RetrievalClient(queue, subscriber);
    await client.start();
    const done = await work(async (query) => {
      const { signal } = new AbortController();
      const call = { requestId: randomUUID(), deadlineAt: Date.now() + ANSWER_LIMIT_MS, signal };
      return withPassages(await client.search({ query, top_k: TOP_K }, call));
    });
    await queue.close();
    return done;
  } finally {
    redis.disconnect();
    subscriber.disconnect();
  }
}

/** A result without vector or passages would be fast but prove nothing. */
function withPassages(result: RetrievalResult): RetrievalResult {
  if (result.degraded_reason)
    throw new Error(`The worker returned a degraded result: ${result.degraded_reason}`);
  if (result.chunks.length === 0) throw new Error('The worker found no passages');
  return result;
}
