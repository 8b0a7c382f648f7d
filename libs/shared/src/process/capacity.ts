import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { redisKeys } from '../redis/redis-keys.js';
import { membersAlive, showSignsOfLife } from './signs-of-life.js';

const capacitySchema = z.object({
  worker: z.string(),
  /** Runs at once. */
  concurrency: z.int().positive(),
  /** How long a run has taken of late; null before the first. */
  service_ms: z.number().positive().nullable(),
});

export type AgentCapacity = Omit<z.infer<typeof capacitySchema>, 'worker'>;

/** Lets gateways see how much an agent worker gets done; answers a function that says goodbye. */
export function announceCapacity(redis: Redis, read: () => AgentCapacity): () => Promise<void> {
  const worker = randomUUID();
  return showSignsOfLife(redis, redisKeys.agentCapacity, () => JSON.stringify({ worker, ...read() }));
}

/** What the agent workers that are alive say of themselves. */
export async function agentCapacities(redis: Redis): Promise<AgentCapacity[]> {
  const members = await membersAlive(redis, redisKeys.agentCapacity);
  return members.map((member) => capacitySchema.parse(JSON.parse(member)));
}
