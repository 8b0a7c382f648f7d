import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { markAsPostgres } from '../errors/index.js';
import type { Logger } from '../logging/index.js';

function rethrowMarked(error: unknown): never {
  throw markAsPostgres(error);
}

/** A pool whose connections may break without ending the process, and whose errors are classified as Postgres'. */
export function openPool(config: pg.PoolConfig, logger: Logger): pg.Pool {
  const pool = new pg.Pool(config);
  const onLost = (error: Error) => logger.warn({ error: error.message }, 'Lost a database connection');
  pool.on('error', onLost);
  pool.on('connect', (client) => {
    // The pool listens to idle clients only; one may break between two statements of a transaction.
    client.on('error', onLost);
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    Object.assign(client, { query: (...args: unknown[]) => query(...args).catch(rethrowMarked) });
  });
  return pool;
}

export const dialectOf = (pool: pg.Pool): PostgresDialect =>
  new PostgresDialect({
    pool: { connect: () => pool.connect().catch(rethrowMarked), end: () => pool.end() },
  });
