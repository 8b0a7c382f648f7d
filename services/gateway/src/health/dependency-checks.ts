import type { QdrantClient } from '@qdrant/js-client-rest';
import type { DependencyStatus } from '@quire/shared/contracts';
import type { Database } from '@quire/shared/database';
import type { Redis } from 'ioredis';
import { sql } from 'kysely';

export type DependencyCheck = () => Promise<DependencyStatus>;

const CHECK_LIMIT_MS = 1500;

export const checkRedis = (redis: Redis): DependencyCheck =>
  timed(async () => {
    await redis.ping();
  });

export const checkPostgres = (db: Database): DependencyCheck =>
  timed(async () => {
    await sql`SELECT 1`.execute(db);
  });

/** Asks for the collection only: the gateway never searches. */
export const checkQdrant = (qdrant: QdrantClient, collection: string): DependencyCheck =>
  timed(async () => {
    const { exists } = await qdrant.collectionExists(collection);
    const points = exists ? (await qdrant.count(collection, { exact: false })).count : 0;
    return { collection, points };
  });

function timed(probe: () => Promise<Partial<DependencyStatus> | void>): DependencyCheck {
  return async () => {
    const started = performance.now();
    const latency = () => Math.round((performance.now() - started) * 10) / 10;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_LIMIT_MS);
    });
    try {
      const details = await Promise.race([probe(), limit]);
      return { status: 'up', latency_ms: latency(), ...details };
    } catch {
      return { status: 'down', latency_ms: latency() };
    } finally {
      clearTimeout(timer);
    }
  };
}
