import type { QdrantClient } from '@qdrant/js-client-rest';
import type { DependencyStatus } from '@quire/shared/contracts';
import type { Database } from '@quire/shared/database';
import { classifyError } from '@quire/shared/errors';
import { timeBudgets, within } from '@quire/shared/time';
import type { Redis } from 'ioredis';
import { sql } from 'kysely';
import type { WriteCheck } from './write-check.js';

export type DependencyCheck = () => Promise<DependencyStatus>;

const CHECK_LIMIT_MS = timeBudgets.health.checkMs;
const NO_RESPONSE = { problem: `It did not respond within ${CHECK_LIMIT_MS} ms` };

export const checkRedis = (redis: Redis, writes: Pick<WriteCheck, 'problem'>): DependencyCheck =>
  readAndWrite(() => redis.ping(), writes);

export const checkPostgres = (db: Database, writes: Pick<WriteCheck, 'problem'>): DependencyCheck =>
  readAndWrite(() => sql`SELECT 1`.execute(db), writes);

/** Reads the collection's size only: the gateway never searches. */
export const checkQdrant = (qdrant: QdrantClient, collection: string): DependencyCheck =>
  timed(async () => {
    const { exists } = await qdrant.collectionExists(collection);
    const points = exists ? (await qdrant.count(collection, { exact: false })).count : 0;
    return { collection, points };
  });

/**
 * The latency is the read's: not every check tries a write. A write that takes too long is ignored; a later check gets
 * its result.
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

function timed(probe: () => Promise<Partial<DependencyStatus> | void>): DependencyCheck {
  return async () => {
    const started = performance.now();
    const latency = () => Math.round((performance.now() - started) * 10) / 10;
    try {
      const details = await within(CHECK_LIMIT_MS, probe(), NO_RESPONSE);
      return { status: details === NO_RESPONSE ? 'down' : 'up', latency_ms: latency(), ...details };
    } catch (error) {
      return { status: 'down', latency_ms: latency(), problem: problemOf(error) };
    }
  };
}

function problemOf(error: unknown): string {
  const { retryable, message } = classifyError(error);
  return retryable ? message : 'It is not reachable';
}
