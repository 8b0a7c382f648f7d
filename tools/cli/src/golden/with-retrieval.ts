import { watchRedis, type WorkerPatience } from '@quire/ingestion';
import type { RetrievalQuery } from '@quire/shared/contracts';
import { openQueue } from '@quire/shared/jobs';
import { untilAborted } from '@quire/shared/process';
import { RetrievalClient } from '@quire/shared/retrieval';
import type { CommandContext } from '../command-context.js';
import { openRedis, redisAddress } from '../connections.js';
import { NOTES } from '../ingest/ingestion-view.js';
import { Progress } from '../progress.js';
import { askAll, type Answer } from './ask-all.js';

export interface RetrievalUse extends Omit<CommandContext, 'onExitCode'> {
  /** How many questions are under way at a time. */
  concurrency: number;
  /** Shows no progress, since stdout is read by a program. */
  quiet: boolean;
  patience?: WorkerPatience | undefined;
}

/** The answers come in the order of the questions. */
export type Ask = (queries: readonly RetrievalQuery[]) => Promise<Answer[]>;

/** Lends a piece of work the running retrieval workers, reached over their queue as the agent reaches them. */
export async function withRetrieval<T>(use: RetrievalUse, work: (ask: Ask) => Promise<T>): Promise<T> {
  const redis = await openRedis(await redisAddress(use));
  const subscriber = redis.duplicate();
  // Outages are noted for the other connection; without a listener ioredis would print each failed reconnect.
  subscriber.on('error', () => {});
  const progress = new Progress(use.terminal, { quiet: use.quiet });
  const stopWatching = watchRedis(redis, (type) => progress.note(NOTES[type]));
  const queue = openQueue('retrieval', redis);
  try {
    const client = new RetrievalClient(queue, subscriber);
    await untilAborted(use.signal, client.start());
    return await work((queries) => askAll(queries, { ...use, client, redis, progress }));
  } finally {
    stopWatching();
    progress.clear();
    redis.disconnect();
    subscriber.disconnect();
  }
}
