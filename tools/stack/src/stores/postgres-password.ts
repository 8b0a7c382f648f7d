import { join } from 'node:path';
import { StackError } from '../stack-error.js';
import { describeExit, EarlyExit } from './early-exit.js';
import { spawnGuarded } from '../processes/guarded-process.js';
import { isInitialised, POSTGRES_USER } from './initialise-postgres.js';
import type { StoreOptions } from './running-store.js';
import { storeEnvironment } from './store-environment.js';
import { keepSecret, keptSecret, newSecret, secretFile } from './store-secret.js';
import type { StoreUser } from './store-user.js';

const WRONG_PASSWORD = '28P01';

interface ClusterAccess {
  binaries: string;
  folder: string;
  cluster: string;
  user: StoreUser | undefined;
  options: StoreOptions;
}

/**
 * The password of the cluster. If its file was deleted, the cluster gets a new one: who may start Postgres on these
 * files has them anyway, and no data depends on the old one.
 */
export async function postgresPassword(access: ClusterAccess): Promise<string> {
  const { dataDir, notice } = access.options;
  const kept = await keptSecret(dataDir, 'postgres');
  if (kept !== undefined) return kept;
  const password = newSecret();
  if (await isInitialised(access.cluster)) {
    const file = secretFile(dataDir, 'postgres');
    notice?.(`The password of Postgres is gone (${file}): giving it a new one; its data is kept.`);
    // Before the file is written: a crash in between leaves no file, and the next start does this again.
    await setPassword(access, password);
  }
  return await keepSecret(dataDir, 'postgres', password);
}

const NEW_PASSWORD = 'delete it: the next start gives Postgres a new password and keeps its data.';

/** A cluster that knows another password than its file holds would refuse it for ever. */
export function wrongPassword(
  dataDir: string,
  error: unknown,
  otherwise = NEW_PASSWORD,
): StackError | undefined {
  if ((error as { code?: unknown }).code !== WRONG_PASSWORD) return undefined;
  const file = secretFile(dataDir, 'postgres');
  return new StackError(
    `Postgres does not accept the password in ${file}: its data belongs to another one`,
    `Put the file back that belongs to this data, or ${otherwise}`,
    { cause: error },
  );
}

/** In single-user mode, which asks for no password and opens no port. */
async function setPassword(access: ClusterAccess, password: string): Promise<void> {
  const child = await spawnGuarded({
    label: 'postgres-password',
    role: 'store',
    command: join(access.binaries, 'postgres'),
    args: ['--single', `-D${access.cluster}`, '-cexit_on_error=on', 'postgres'],
    cwd: access.folder,
    env: storeEnvironment(),
    user: access.user,
    runDir: join(access.options.dataDir, 'run'),
    input: `ALTER ROLE ${POSTGRES_USER} PASSWORD '${password}'\n`,
    onLine: access.options.log,
  });
  const exit = await child.exited;
  if (exit.code === 0) return;
  throw new EarlyExit('postgres', `${describeExit(exit)} while it got a new password`, child.lastLines());
}
