import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  url: string;
  /** Terminates the connections that are still open. */
  drop(): Promise<void>;
}

/** A fresh, empty Postgres database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('quireStores').postgresUrl;
  const name = `quire_test_${randomBytes(6).toString('hex')}`;
  // template0 has no visitors, so databases can be made from it at the same time.
  await execute(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
