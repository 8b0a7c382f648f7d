import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { redisKeys } from '../redis/redis-keys.js';
import { membersAlive, showSignsOfLife } from './signs-of-life.js';

const capacitySchema = z.object({
  worker: z.string(),
  /** Runs at once. */
  concurrency: z.int().positive(),
  /** The service time of its runs; null before the first. */
  service_ms: z.number().positive().nullable(),
});

export type AgentCapacity = Omit<z.infer<typeof capacitySchema>, 'worker'>;

/** Announces an agent worker's capacity to the gateways; returns a function that withdraws it. */
export function announceCapacity(redis: Redis, read: () => AgentCapacity): () => Promise<void> {
  const worker = randomUUID();
  return showSignsOfLife(redis, redisKeys.agentCapacity, () => JSON.stringify({ worker, ...read() }));
}

/** The capacities of all live agent workers. */
export async function agentCapacities(redis: Redis): Promise<AgentCapacity[]> {
  const members = await membersAlive(redis, redisKeys.agentCapacity);
  return members.map((member) => capacitySchema.parse(JSON.parse(member)));
}
