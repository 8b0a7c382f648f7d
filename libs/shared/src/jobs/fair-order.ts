import { PRIORITY_LIMIT } from 'bullmq';
import type { Redis } from 'ioredis';
import { LuaScript } from '../redis/lua-script.js';
import { redisKeys } from '../redis/redis-keys.js';
import { queueKey } from './bullmq/queue-keys.js';

export interface JobOrder {
  /** BullMQ takes jobs with lower ones first, and those with equal ones in the order in which they were added. */
  priority: number;
  /** Jobs that are taken before this one. */
  ahead: number;
}

/** BullMQ's highest number: all later jobs share it and are taken in the order in which they were added. */
export const LAST_PRIORITY = PRIORITY_LIMIT;
/** Above it priorities start again at 1 as soon as no job waits, long before they reach the last one. */
const RENUMBER_FROM = 2 ** 20;
/** Expiry of both keys; if only the current priority expired, tenants would be put behind all others. */
const KEPT_SECONDS = 24 * 3600;

const priorityScript = new LuaScript<[priority: number, ahead: number]>(
  new URL('fair-priority.lua', import.meta.url),
);
const advanceScript = new LuaScript<null>(new URL('advance-priority.lua', import.meta.url));

/**
 * Lets tenants alternate on the chat queue (start-time fair queueing): a tenant's next job gets the priority behind its
 * last one, but never one before the current priority, that of the latest job that was started. So a tenant without
 * waiting jobs is served next, however many another tenant has, and no job waits for ever.
 */
export class FairOrder {
  private readonly keys = [
    redisKeys.lastPriorities,
    redisKeys.currentPriority,
    queueKey('chat', 'wait'),
    queueKey('chat', 'prioritized'),
  ];

  constructor(private readonly redis: Redis) {}

  /** For a job that is about to be added. */
  assign(tenant: string): Promise<JobOrder> {
    return this.order(tenant, 1);
  }

  /** What `assign` would return now. */
  preview(tenant: string): Promise<JobOrder> {
    return this.order(tenant, 0);
  }

  /** A worker has started a job with this priority. */
  async started(priority: number): Promise<void> {
    await advanceScript.run(this.redis, [redisKeys.currentPriority], [priority, KEPT_SECONDS]);
  }

  private async order(tenant: string, isAdded: 0 | 1): Promise<JobOrder> {
    const args = [tenant, isAdded, LAST_PRIORITY, RENUMBER_FROM, KEPT_SECONDS];
    const [priority, ahead] = await priorityScript.run(this.redis, this.keys, args);
    return { priority, ahead };
  }
}
