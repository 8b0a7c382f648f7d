import type { QdrantClient } from '@qdrant/js-client-rest';
import type { DependencyStatus } from '@quire/shared/contracts';
import type { Database } from '@quire/shared/database';
import { classifyError } from '@quire/shared/errors';
import { timeBudgets } from '@quire/shared/time';
import type { Redis } from 'ioredis';
import { sql } from 'kysely';
import type { WriteCheck } from './write-check.js';

export type DependencyCheck = () => Promise<DependencyStatus>;

const CHECK_LIMIT_MS = timeBudgets.health.checkMs;

export const checkRedis = (redis: Redis, writes: Pick<WriteCheck, 'problem'>): DependencyCheck =>
  readAndWrite(() => redis.ping(), writes);

export const checkPostgres = (db: Database, writes: Pick<WriteCheck, 'problem'>): DependencyCheck =>
  readAndWrite(() => sql`SELECT 1`.execute(db), writes);

/** Asks for the collection only: the gateway never searches. */
export const checkQdrant = (qdrant: QdrantClient, collection: string): DependencyCheck =>
  timed(async () => {
    const { exists } = await qdrant.collectionExists(collection);
    const points = exists ? (await qdrant.count(collection, { exact: false })).count : 0;
    return { collection, points };
  });

/**
 * The latency is that of the read: a write is not tried each time. A write that takes long has no verdict yet; a later
 * check sees its end.
 */
function readAndWrite(read: () => Promise<unknown>, writes: Pick<WriteCheck, 'problem'>): DependencyCheck {
  const reads = timed(async () => void (await read()));
  const takesWrites = timed(async () => problemOrNothing(await writes.problem()));
  return async () => {
    const [responded, written] = await Promise.all([reads(), takesWrites()]);
    const isRefused = written.status === 'up' && written.problem !== undefined;
    return responded.status === 'up' && isRefused
      ? { ...responded, status: 'down', problem: written.problem }
      : responded;
  };
}

const problemOrNothing = (problem: string | undefined) => (problem === undefined ? {} : { problem });

class NoResponse extends Error {}

function timed(probe: () => Promise<Partial<DependencyStatus> | void>): DependencyCheck {
  return async () => {
    const started = performance.now();
    const latency = () => Math.round((performance.now() - started) * 10) / 10;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new NoResponse()), CHECK_LIMIT_MS);
    });
    try {
      const details = await Promise.race([probe(), limit]);
      return { status: 'up', latency_ms: latency(), ...details };
    } catch (error) {
      return { status: 'down', latency_ms: latency(), problem: problemOf(error) };
    } finally {
      clearTimeout(timer);
    }
  };
}

function problemOf(error: unknown): string {
  if (error instanceof NoResponse) return `It did not respond within ${CHECK_LIMIT_MS} ms`;
  const { retryable, message } = classifyError(error);
  return retryable ? message : 'It is not reachable';
}
