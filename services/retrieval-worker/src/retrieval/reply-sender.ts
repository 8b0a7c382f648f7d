import type { Logger } from '@quire/shared/logging';
import { redisKeys } from '@quire/shared/redis';
import type { RetrievalReply } from '@quire/shared/retrieval';
import type { Redis } from 'ioredis';

/** Publishes a reply; never rejects, since the asking process also reads the job's stored result. */
export type ReplySender = (processId: string, reply: RetrievalReply) => Promise<void>;

export function createReplySender(redis: Redis, logger: Logger): ReplySender {
  return async (processId, reply) => {
    try {
      await redis.publish(redisKeys.replyChannel(processId), JSON.stringify(reply));
    } catch (error) {
      logger.warn({ stage: 'retrieval', job_id: reply.job_id, error }, 'Reply could not be published');
    }
  };
}
