import type { QdrantClient } from '@qdrant/js-client-rest';
import { environment } from '@quire/shared/config';
import { createLogger } from '@quire/shared/logging';
import { connectQdrant, type QdrantAddress } from '@quire/shared/qdrant';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import type { Surroundings } from './command-context.js';
import { CommandFailure } from './command-failure.js';
import { findStack, stackFiles, type StackFile } from './stack-file.js';

const CONNECT_LIMIT_MS = 5000;
const QDRANT_LIMIT_MS = 30_000;

/** `REDIS_URL`, or the Redis of the embedded stack. */
export async function redisAddress(surroundings: Surroundings): Promise<string> {
  const { REDIS_URL: own } = surroundings.env;
  if (own) return checked(environment.REDIS_URL, own, 'REDIS_URL');
  const stack = await stackFor('Redis', 'REDIS_URL', surroundings);
  return checked(environment.REDIS_URL, stack.redisUrl, stack.file, 'a redis:// or rediss:// URL');
}

/** `DATABASE_URL`, or the Postgres of the embedded stack. */
export async function databaseAddress(surroundings: Surroundings): Promise<string> {
  const { DATABASE_URL: own } = surroundings.env;
  if (own) return checked(environment.DATABASE_URL, own, 'DATABASE_URL');
  const stack = await stackFor('Postgres', 'DATABASE_URL', surroundings);
  return checked(environment.DATABASE_URL, stack.databaseUrl, stack.file, 'the postgres:// URL of Postgres');
}

/** `QDRANT_URL` and `QDRANT_API_KEY`, or the Qdrant of the embedded stack. */
export async function qdrantAddress(surroundings: Surroundings): Promise<QdrantAddress> {
  const { QDRANT_URL: own, QDRANT_API_KEY: ownKey } = surroundings.env;
  if (own) return { url: checked(environment.QDRANT_URL, own, 'QDRANT_URL'), apiKey: ownKey || undefined };
  const stack = await stackFor('Qdrant', 'QDRANT_URL', surroundings);
  const url = checked(environment.QDRANT_URL, stack.qdrantUrl, stack.file, 'the http:// URL of Qdrant');
  const stackKey = typeof stack.qdrantApiKey === 'string' ? stack.qdrantApiKey : undefined;
  // The stack's key comes first: QDRANT_API_KEY without QDRANT_URL belongs to another server.
  return { url, apiKey: stackKey ?? (ownKey || undefined) };
}

/** The index that questions are answered from: `QDRANT_COLLECTION`, or that of the embedded stack. */
export async function indexName(surroundings: Surroundings): Promise<string> {
  const { QDRANT_COLLECTION: own, REDIS_URL, QDRANT_URL } = surroundings.env;
  if (own) return checked(environment.QDRANT_COLLECTION, own, 'QDRANT_COLLECTION');
  // An own REDIS_URL or QDRANT_URL means that the index is not the embedded stack's.
  const stack = REDIS_URL || QDRANT_URL ? undefined : await findStack(surroundings);
  return checked(environment.QDRANT_COLLECTION, stack?.collection, stack?.file ?? 'QDRANT_COLLECTION');
}

/** Retries its commands after an outage of Redis. */
export async function openRedis(url: string): Promise<Redis> {
  const redis = connectRedis(url, 'worker', createLogger('cli', 'silent'));
  await awaitRedis(redis, CONNECT_LIMIT_MS).catch(() => {
    redis.disconnect();
    throw new CommandFailure(`Redis does not answer at ${withoutPassword(url)}: is it running?`);
  });
  return redis;
}

export function openQdrant(address: QdrantAddress): QdrantClient {
  return connectQdrant(address, QDRANT_LIMIT_MS);
}

export function withoutPassword(url: string): string {
  const address = new URL(url);
  if (address.password) address.password = '***';
  return address.href;
}

async function stackFor(store: string, variable: string, surroundings: Surroundings): Promise<StackFile> {
  const stack = await findStack(surroundings);
  if (stack) return stack;
  throw new CommandFailure(
    `There is no ${store} to talk to: start the embedded stack with \`npm start\`, or set ${variable}.\n` +
      `Looked for ${stackFiles(surroundings).join(' and ')}.`,
  );
}

/** The parsed value, or a failure that names where the value came from. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, from: string, wanted?: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problem = wanted ? `does not hold ${wanted}` : (parsed.error.issues[0]?.message ?? 'is not usable');
  throw new CommandFailure(`${from} ${problem}.`);
}
