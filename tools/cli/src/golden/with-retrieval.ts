import { watchRedis, type WorkerPatience } from '@quire/ingestion';
import type { RetrievalQuery } from '@quire/shared/contracts';
import { openQueue } from '@quire/shared/jobs';
import { untilAborted } from '@quire/shared/process';
import { RetrievalClient } from '@quire/shared/retrieval';
import type { CommandContext } from '../command-context.js';
import { openRedis, redisAddress } from '../connections.js';
import { NOTES } from '../ingest/ingestion-view.js';
import { Progress } from '../progress.js';
import { searchAll, type QueryResult } from './search-all.js';

export interface RetrievalUse extends Omit<CommandContext, 'onExitCode'> {
  /** How many searches run at once. */
  concurrency: number;
  /** Shows no progress, because a program reads stdout. */
  quiet: boolean;
  patience?: WorkerPatience | undefined;
}

/** The results are in the order of the queries. */
export type SearchAll = (queries: readonly RetrievalQuery[]) => Promise<QueryResult[]>;

/** Searches through the queue of the running retrieval workers, as the agent does. */
export async function withRetrieval<T>(
  use: RetrievalUse,
  work: (search: SearchAll) => Promise<T>,
): Promise<T> {
  const redis = await openRedis(await redisAddress(use));
  const subscriber = redis.duplicate();
  // The other connection reports outages; without a listener ioredis would print each failed reconnect.
  subscriber.on('error', () => {});
  const progress = new Progress(use.terminal, { quiet: use.quiet });
  const stopWatching = watchRedis(redis, (type) => progress.note(NOTES[type]));
  const queue = openQueue('retrieval', redis);
  try {
    const client = new RetrievalClient(queue, subscriber);
    await untilAborted(use.signal, client.start());
    return await work((queries) => searchAll(queries, { ...use, client, redis, progress }));
  } finally {
    stopWatching();
    progress.clear();
    redis.disconnect();
    subscriber.disconnect();
  }
}
