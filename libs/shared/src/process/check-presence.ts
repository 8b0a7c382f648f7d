import { Redis } from 'ioredis';
import { z } from 'zod';
import { environment, loadConfig } from '../config/index.js';
import { timeBudgets } from '../time/index.js';
import { isPresentHere, type WorkerKind } from './presence.js';

/** A container's health check: exits with 0 if a worker of this host is present in Redis, otherwise with 1. */
export async function checkPresence(kind: WorkerKind): Promise<never> {
  setTimeout(() => process.exit(1), timeBudgets.presence.healthCheckMs);
  const { REDIS_URL } = loadConfig(z.object({ REDIS_URL: environment.REDIS_URL }));
  const redis = new Redis(REDIS_URL);
  redis.on('error', () => process.exit(1));
  process.exit((await isPresentHere(redis, kind)) ? 0 : 1);
}
