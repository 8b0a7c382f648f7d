import { Client } from 'pg';

/** Rejects unless the server answers SELECT 1. */
export async function probePostgres(url: string, timeoutMs = 2_000): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => {});
  }
}
