import { environment, loadConfig } from '@quire/shared/config';
import { createLogger } from '@quire/shared/logging';
import { isPresentHere } from '@quire/shared/process';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import { z } from 'zod';

const TIME_LIMIT_MS = 3000;

/** The container's health check: exit code 0 if a retrieval worker on this host has shown a sign of life lately. */
setTimeout(() => process.exit(1), TIME_LIMIT_MS).unref();

try {
  const { REDIS_URL } = loadConfig(z.object({ REDIS_URL: environment.REDIS_URL }));
  const redis = connectRedis(REDIS_URL, 'request', createLogger('healthcheck', 'silent'));
  await awaitRedis(redis, TIME_LIMIT_MS);
  process.exit((await isPresentHere(redis, 'retrieval-worker')) ? 0 : 1);
} catch {
  process.exit(1);
}
