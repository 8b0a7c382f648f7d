import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StackError } from '../stack-error.js';
import type { StoreName } from './running-store.js';
import type { StoreUser } from './store-user.js';

/** The store's own folder, owned by the user it runs as and closed to everybody else. */
export async function storeFolder(
  dataDir: string,
  name: StoreName,
  user: StoreUser | undefined,
): Promise<string> {
  const folder = join(dataDir, name);
  try {
    await mkdir(folder, { recursive: true });
    if (user && (await stat(folder)).uid !== user.uid) {
      await promisify(execFile)('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
    }
    if (!user) await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    await chmod(folder, 0o700);
  } catch (error) {
    throw new StackError(
      `cannot use ${folder}: ${(error as Error).message}`,
      `It may belong to another user (was Quire started as root?): sudo chown -R "$USER" ${dataDir}, or set QUIRE_DATA_DIR.`,
      { cause: error },
    );
  }
  return folder;
}
