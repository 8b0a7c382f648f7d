import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../logging/index.js';
import type { ApiKeyTable } from './api-key.table.js';
import type { FeedbackTable } from './feedback.table.js';
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

/** The words in which pg tells of its `query_timeout`. */
const UNANSWERED = 'Query read timeout';

/** A bounded pool; waiting for a connection or a statement is bounded too, so an outage fails fast. */
export function openDatabase(url: string, logger: Logger, maxConnections = 10): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 5000,
    // Else the locks of a transaction whose client has vanished would outlive it by hours.
    idle_in_transaction_session_timeout: 5000,
    // The server's own limit does not help when the server falls silent.
    query_timeout: 6000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    application_name: 'quire',
  });
  hearLostConnections(pool, logger);
  dropWhenUnanswered(pool);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/**
 * pg gives up a query that is not answered in time but keeps its connection, on which every later one would wait as
 * long: where a network drops connections without a word that is all that they do. It drops them all, so those that
 * have been idle since before the query go too, and do not each cost another one its time.
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
      // The pool forgets an idle client that has failed, at once; one that was ended it would hand out again.
      client.emit('error', reason);
    }
  };
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    let unanswered: Error | undefined;
    const queryOrDrop = async (...args: unknown[]) => {
      // The rollback that follows in a transaction must not hide why.
      if (unanswered) throw unanswered;
      const sentAt = performance.now();
      try {
        return await query(...args);
      } catch (error) {
        if (error instanceof Error && error.message === UNANSWERED) {
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

/**
 * A connection that breaks is replaced at the next query; unheard, the event would end the process. The pool listens
 * only to idle clients, so one that breaks between two statements of a transaction needs its own ear.
 */
export function hearLostConnections(pool: pg.Pool, logger: Logger): void {
  const onLost = (error: Error) => logger.warn({ error: error.message }, 'Lost a database connection');
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
}
