import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { redisKeys } from '../redis/redis-keys.js';
import { membersAlive, showSignsOfLife } from './signs-of-life.js';

export const workerKinds = ['agent-worker', 'retrieval-worker'] as const;
export type WorkerKind = (typeof workerKinds)[number];

/** Announces a worker process; returns a function that withdraws it. */
export function announcePresence(redis: Redis, kind: WorkerKind): () => Promise<void> {
  const member = `${hostname()}:${process.pid}`;
  return showSignsOfLife(redis, redisKeys.presence(kind), () => member);
}

export async function countWorkers(redis: Redis, kind: WorkerKind): Promise<number> {
  return (await membersAlive(redis, redisKeys.presence(kind))).length;
}

/** Whether a worker of this kind on this host is alive, for a container's health check. */
export async function isPresentHere(redis: Redis, kind: WorkerKind): Promise<boolean> {
  const alive = await membersAlive(redis, redisKeys.presence(kind));
  return alive.some((member) => member.startsWith(`${hostname()}:`));
}
