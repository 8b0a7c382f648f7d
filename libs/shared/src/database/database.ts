import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../logging/index.js';
import type { RunTable } from './run.table.js';
import type { MessageTable, ThreadTable } from './thread.table.js';

export interface Tables {
  runs: RunTable;
  threads: ThreadTable;
  messages: MessageTable;
}

export type Database = Kysely<Tables>;

/** A bounded pool; waiting for a connection or a statement is bounded too, so an outage fails fast. */
export function openDatabase(url: string, logger: Logger, maxConnections = 10): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 15_000,
    application_name: 'quire',
  });
  // An idle connection that the server closes is replaced at the next query; unheard, the event would end us.
  pool.on('error', (error) => logger.warn({ error: error.message }, 'Lost an idle database connection'));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
