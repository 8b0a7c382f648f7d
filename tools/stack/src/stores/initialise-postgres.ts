import { chown, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnGuarded } from '../processes/guarded-process.js';
import { describeExit, EarlyExit } from './early-exit.js';
import type { StoreOptions } from './running-store.js';
import { storeEnvironment } from './store-environment.js';
import type { StoreUser } from './store-user.js';

export const POSTGRES_USER = 'quire';

interface Initialisation {
  binaries: string;
  folder: string;
  cluster: string;
  password: string;
  user: StoreUser | undefined;
  options: StoreOptions;
}

/** Creates the cluster in a temporary folder and renames it, so that a killed initdb leaves no partial cluster. */
export async function initialisePostgres(init: Initialisation): Promise<void> {
  if (await isInitialised(init.cluster)) return;
  const draft = join(init.folder, 'draft');
  const passwordFile = join(init.folder, 'password');
  await rm(draft, { recursive: true, force: true });
  await writeFile(passwordFile, init.password, { mode: 0o600 });
  if (init.user) await chown(passwordFile, init.user.uid, init.user.gid);
  try {
    await runInitdb(init, draft, passwordFile);
    await rm(init.cluster, { recursive: true, force: true });
    await rename(draft, init.cluster);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function runInitdb(init: Initialisation, draft: string, passwordFile: string): Promise<void> {
  const child = await spawnGuarded({
    label: 'initdb',
    role: 'store',
    command: join(init.binaries, 'initdb'),
    args: [
      `--pgdata=${draft}`,
      `--username=${POSTGRES_USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // Sorts and compares the same on every machine, whatever locales it has.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      ...(init.options.throwaway ? ['--no-sync'] : []),
    ],
    cwd: init.folder,
    env: storeEnvironment(),
    user: init.user,
    runDir: join(init.options.dataDir, 'run'),
    onLine: init.options.log,
  });
  const exit = await child.exited;
  if (exit.code !== 0) throw new EarlyExit('postgres', `initdb ${describeExit(exit)}`, child.lastLines());
}

export async function isInitialised(cluster: string): Promise<boolean> {
  return await stat(join(cluster, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}
