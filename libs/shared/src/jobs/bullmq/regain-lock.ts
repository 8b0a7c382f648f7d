import type { Redis } from 'ioredis';
import { LuaScript } from '../../redis/lua-script.js';
import type { QueueName } from '../job-catalogue.js';
import { jobKey, lockKey, queueKey } from './queue-keys.js';

const regainScript = new LuaScript<0 | 1>(new URL('regain-lock.lua', import.meta.url));

export interface TakenJob {
  id: string;
  /** The token of its lock. */
  token: string;
  /** How often it had been taken when this worker took it. */
  takes: number;
}

/**
 * Sets an expired lock again, which BullMQ itself never does. Returns whether the worker holds the lock: not if the job
 * was taken from it.
 */
export async function regainLock(
  redis: Redis,
  queue: QueueName,
  { id, token, takes }: TakenJob,
  lockMs: number,
): Promise<boolean> {
  const keys = [jobKey(queue, id), lockKey(queue, id), queueKey(queue, 'active'), queueKey(queue, 'stalled')];
  return (await regainScript.run(redis, keys, [id, token, takes, lockMs])) === 1;
}
