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
 * The password of the cluster. If its file was deleted, the cluster gets a new one, which gives no user new access:
 * starting Postgres on these files requires access to them.
 */
export async function postgresPassword(access: ClusterAccess): Promise<string> {
  const { dataDir, notice } = access.options;
  const kept = await keptSecret(dataDir, 'postgres');
  if (kept !== undefined) return kept;
  const password = newSecret();
  if (await isInitialised(access.cluster)) {
    const file = secretFile(dataDir, 'postgres');
    notice?.(`The password file of Postgres is missing (${file}): setting a new password; the data is kept.`);
    // Before the file is written: after a crash in between, the next start sets another password.
    await setPassword(access, password);
  }
  return await keepSecret(dataDir, 'postgres', password);
}

const NEW_PASSWORD = 'delete it: the next start gives Postgres a new password and keeps its data.';

/** The error for a cluster with another password than the file holds. */
export function wrongPassword(
  dataDir: string,
  error: unknown,
  otherwise = NEW_PASSWORD,
): StackError | undefined {
  if ((error as { code?: unknown }).code !== WRONG_PASSWORD) return undefined;
  const file = secretFile(dataDir, 'postgres');
  return new StackError(
    `Postgres does not accept the password in ${file}: its data has another password`,
    `Put the file back that belongs to this data, or ${otherwise}`,
    { cause: error },
  );
}

/** Uses single-user mode, which asks for no password and opens no port. */
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
  throw new EarlyExit(
    'postgres',
    `${describeExit(exit)} while its password was being set`,
    child.lastLines(),
  );
}
