import { join } from 'node:path';
import { Client } from 'pg';
import { endOrphanPostgres } from './orphan-postgres.js';
import { initialisePostgres, POSTGRES_USER } from './initialise-postgres.js';
import { postgresPassword, wrongPassword } from './postgres-password.js';
import { probePostgres } from './probes/probe-postgres.js';
import type { StoreOptions } from './running-store.js';
import { storeEnvironment } from './store-environment.js';
import { storeFolder } from './store-folder.js';
import type { StoreProgram } from './store-program.js';
import { storeUser } from './store-user.js';

const DATABASE = 'quire';
const DATABASE_EXISTS = '42P04';

export async function postgresProgram(binaries: string, options: StoreOptions): Promise<StoreProgram> {
  const user = storeUser();
  const folder = await storeFolder(options.dataDir, 'postgres', user);
  const cluster = join(folder, 'data');
  await endOrphanPostgres(cluster);
  const password = await postgresPassword({ binaries, folder, cluster, user, options });
  await initialisePostgres({ binaries, folder, cluster, password, user, options });
  const settings = {
    listen_addresses: '127.0.0.1',
    // TCP alone: socket paths are limited to 107 bytes, and /var/run/postgresql may not be writable.
    unix_socket_directories: '',
    max_connections: '200',
    ...(options.throwaway ? { fsync: 'off' } : {}),
  };
  return {
    name: 'postgres',
    portCount: 1,
    process: ([port = 0]) => ({
      command: join(binaries, 'postgres'),
      args: [
        `-D${cluster}`,
        `-p${port}`,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      cwd: folder,
      env: storeEnvironment(),
      user,
    }),
    url: (port) => `postgres://${POSTGRES_USER}:${password}@127.0.0.1:${port}/${DATABASE}`,
    async probe(url) {
      await ensureDatabase(url);
      await probePostgres(url);
    },
    refusal: (error) => wrongPassword(options.dataDir, error),
    announces: [/database system is ready to accept connections/],
    // Fast shutdown: SIGTERM would wait for every client to leave.
    stopSignal: 'SIGINT',
    // A killed postmaster's backends need a moment to notice and let go of the shared memory.
    passing: /pre-existing shared memory block|lock file "postmaster\.pid" already exists/,
  };
}

async function ensureDatabase(url: string): Promise<void> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const client = new Client({ connectionString: maintenance.href, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    if ((error as { code?: string }).code !== DATABASE_EXISTS) throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
