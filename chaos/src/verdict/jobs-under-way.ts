import { jobCatalogue, openQueue, type QueueName } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { awaitRedis, connectRedis } from '@quire/shared/redis';

const CONNECT_LIMIT_MS = 5000;
const queueNames = Object.keys(jobCatalogue) as QueueName[];

/** The numbers of unfinished jobs, for each queue that has some. */
export async function jobsUnderWay(redisUrl: string): Promise<string[]> {
  const redis = connectRedis(redisUrl, 'request', createLogger('chaos', 'silent'));
  try {
    await awaitRedis(redis, CONNECT_LIMIT_MS);
    const left: string[] = [];
    for (const name of queueNames) {
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
