import { Kysely } from 'kysely';
import type pg from 'pg';
import type { Logger } from '../logging/index.js';
import { timeBudgets } from '../time/index.js';
import type { ApiKeyTable } from './api-key.table.js';
import type { FeedbackTable } from './feedback.table.js';
import { dialectOf, openPool } from './postgres-pool.js';
import type { RunTable } from './run.table.js';
import type { MessageTable, ThreadTable } from './thread.table.js';
import type { ModelUsageTable } from './usage.table.js';

export interface Tables {
  runs: RunTable;
  threads: ThreadTable;
  messages: MessageTable;
  model_usage: ModelUsageTable;
  feedback: FeedbackTable;
  api_keys: ApiKeyTable;
}

export type Database = Kysely<Tables>;

/** The message of pg's `query_timeout`. */
const QUERY_TIMED_OUT = 'Query read timeout';

/** A bounded pool; waiting for a connection or a statement is bounded too, so an outage fails fast. */
export function openDatabase(url: string, logger: Logger, maxConnections = 10): Database {
  const { postgres } = timeBudgets;
  const limits = {
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: postgres.connectMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: postgres.statementMs,
    idle_in_transaction_session_timeout: postgres.idleTransactionMs,
    query_timeout: postgres.queryMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    application_name: 'quire',
  };
  const pool = openPool(limits, logger);
  dropWhenUnanswered(pool);
  return new Kysely<Tables>({ dialect: dialectOf(pool) });
}

/**
 * After a query timeout pg keeps the connection. If the network has dropped it silently, every later query on it would
 * time out too, and so would those on connections that have been idle since before the query: all of them are closed.
 */
function dropWhenUnanswered(pool: pg.Pool): void {
  const idleSince = new Map<pg.PoolClient, number>();
  pool.on('release', (_, client) => idleSince.set(client, performance.now()));
  pool.on('acquire', (client) => idleSince.delete(client));
  pool.on('remove', (client) => idleSince.delete(client));
  const dropIdle = (before: number, reason: Error) => {
    for (const [client, since] of idleSince) {
      if (since >= before) continue;
      idleSince.delete(client);
      client.connection.stream.destroy();
      // The pool removes an idle client that emits an error at once; one that was ended it would hand out again.
      client.emit('error', reason);
    }
  };
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    let unanswered: Error | undefined;
    const queryOrDrop = async (...args: unknown[]) => {
      // The transaction's rollback must not hide the cause.
      if (unanswered) throw unanswered;
      const sentAt = performance.now();
      try {
        return await query(...args);
      } catch (error) {
        if (error instanceof Error && error.message === QUERY_TIMED_OUT) {
          unanswered = error;
          void client.end().catch(() => {});
          dropIdle(sentAt, error);
        }
        throw error;
      }
    };
    Object.assign(client, { query: queryOrDrop });
  });
}
