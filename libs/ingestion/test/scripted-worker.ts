import type { IngestResult, IngestTask } from '@quire/shared/contracts';
import { openWorker, type JobContext, type JobWorker } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { announcePresence } from '@quire/shared/process';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import type { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';

type Named<Union extends { task: string }, Name extends IngestTask['task']> = Extract<Union, { task: Name }>;

/** The worker's results; a task without a script succeeds. */
export type WorkerScript = {
  [Name in IngestTask['task']]?: (
    task: Named<IngestTask, Name>,
    context: JobContext,
  ) => Named<IngestResult, Name> | Promise<Named<IngestResult, Name>>;
};

export interface ScriptedWorker {
  /** In the order in which they were processed. */
  tasks: IngestTask[];
  named<Name extends IngestTask['task']>(name: Name): Named<IngestTask, Name>[];
  close(): Promise<void>;
}

const logger = createLogger('test', 'silent');

export async function redisFor(url: string): Promise<Redis> {
  const redis = connectRedis(url, 'worker', logger);
  onTestFinished(() => redis.disconnect());
  await awaitRedis(redis, 5000);
  return redis;
}

export const ingested = (path: string, chunks = 3, embedded = 1) => ({
  task: 'page' as const,
  path,
  chunks,
  embedded,
});

/** A worker on the real queue that writes no index; closed when the test ends. */
export async function startScriptedWorker(
  redisUrl: string,
  script: WorkerScript = {},
): Promise<ScriptedWorker> {
  const tasks: IngestTask[] = [];
  const connection = await redisFor(redisUrl);
  const handle = async (task: IngestTask, context: JobContext): Promise<IngestResult> => {
    tasks.push(task);
    switch (task.task) {
      case 'open':
        return script.open?.(task, context) ?? { task: 'open', collection: 'quire--test', embedder: 'test' };
      case 'page':
        return script.page?.(task, context) ?? ingested(task.page.path);
      case 'carry':
        return script.carry?.(task, context) ?? { task: 'carry', carried: 0 };
      case 'close':
        return script.close?.(task, context) ?? { task: 'close', removed_pages: 0, removed_chunks: 0 };
    }
  };
  const worker: JobWorker = openWorker('ingest', handle, {
    connection,
    concurrency: 2,
    logger,
    graceMs: 100,
  });
  worker.start();
  const leave = announcePresence(connection, 'retrieval-worker');
  const close = async () => {
    await leave();
    await worker.close();
  };
  onTestFinished(close);
  return {
    tasks,
    named: (name) => tasks.filter((task): task is Named<IngestTask, typeof name> => task.task === name),
    close,
  };
}
