import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startPrivatePostgres } from './private-store.js';

const run = promisify(execFile);

/** Room for a new database and its migrations, but not for much more. */
const DISK_SIZE = '40m';

export interface SmallDatabase {
  url: string;
  /** Until nothing more fits. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * A database on a disk of its own that can be filled: a tablespace on a small tmpfs, of a Postgres of its own, because
 * a server with a full disk cannot finish its checkpoints. Undefined where the test may not mount one, or Postgres does
 * not run on this machine.
 */
export async function mountSmallDatabase(): Promise<SmallDatabase | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-small-disk-'));
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE}`, 'none', folder]).then(
    () => true,
    () => false,
  );
  const server = isMounted ? await startPrivatePostgres() : undefined;
  const remove = async () => {
    await server?.kill('SIGKILL');
    await server?.cleanup();
    if (isMounted) await run('umount', [folder]);
    await rm(folder, { recursive: true });
  };
  const owner = server && (await ownerOfCluster(server.url));
  if (!server || !owner) {
    await remove();
    return undefined;
  }
  const place = join(folder, 'tablespace');
  await mkdir(place);
  for (const path of [folder, place]) await chown(path, owner.uid, owner.gid);
  await execute(server.url, `CREATE TABLESPACE small LOCATION '${place}'`);
  await execute(server.url, 'CREATE DATABASE small TEMPLATE template0 TABLESPACE small');
  const url = new URL(server.url);
  url.pathname = '/small';
  return {
    url: url.href,
    async fill() {
      await execute(url.href, 'CREATE TABLE filler (content text STORAGE PLAIN)');
      // Large pieces first; small ones take what they leave over.
      for (const rows of [1000, 10, 1]) {
        const piece = `INSERT INTO filler SELECT repeat('x', 7000) FROM generate_series(1, ${rows})`;
        while (await isStored(url.href, piece));
      }
    },
    async makeRoom() {
      await execute(url.href, 'DROP TABLE filler');
    },
    remove,
  };
}

async function isStored(url: string, statement: string): Promise<boolean> {
  try {
    await execute(url, statement);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '53100') return false;
    throw error;
  }
}

async function ownerOfCluster(server: string): Promise<{ uid: number; gid: number } | undefined> {
  const [row] = (await execute(server, 'SHOW data_directory')) as { data_directory: string }[];
  return row && stat(row.data_directory).catch(() => undefined);
}

async function execute(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
