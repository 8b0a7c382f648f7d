import { onTestFinished } from 'vitest';
import {
  openWorker,
  type JobHandler,
  type JobWorker,
  type JobWorkerOptions,
  type QueueName,
} from '../src/jobs/index.js';
import { redisForTest } from './open-for-test.js';
import { silentLogger } from './silent-logger.js';

/** A running worker, closed when the test is over. */
export function workerForTest<Name extends QueueName>(
  url: string,
  name: Name,
  handle: JobHandler<Name>,
  options: Partial<JobWorkerOptions> = {},
): JobWorker {
  const connection = redisForTest(url);
  const worker = openWorker(name, handle, {
    connection,
    concurrency: 4,
    logger: silentLogger,
    graceMs: 100,
    ...options,
  });
  onTestFinished(() => worker.close());
  worker.start();
  return worker;
}
