import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StackError } from '../stack-error.js';
import { isReachableByOthers, storeUser } from './store-user.js';

export interface DataPlace {
  dataDir: string;
  /** A line for the user if the data is in another folder than requested. */
  notice?: string;
}

/**
 * Returns the folder to use for `wanted`. Stores that root starts run as the user `nobody`, which cannot enter e.g. /root:
 * then the data goes to a folder of /var/tmp whose name is derived from `wanted`, so that two checkouts do not share it.
 */
export async function placeData(wanted: string): Promise<DataPlace> {
  const dataDir = resolve(wanted);
  await makeFolder(dataDir);
  if (!storeUser() || (await isReachableByOthers(dataDir))) return { dataDir };

  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const elsewhere = join('/var/tmp', `quire-${hash}`);
  await makeFolder(elsewhere);
  const found = await lstat(elsewhere);
  if (!found.isDirectory() || found.uid !== 0) {
    throw new StackError(
      `${elsewhere} is not a folder of root, so it cannot be trusted with the data`,
      `Remove it, or set QUIRE_DATA_DIR to a folder that every user may enter.`,
    );
  }
  await chmod(elsewhere, 0o755);
  return {
    dataDir: elsewhere,
    notice: `${dirname(dataDir)} is closed to other users and the stores do not run as root: data is in ${elsewhere}`,
  };
}

/** Closes a new folder to other users, unless the stores run as one of them. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: storeUser() ? 0o755 : 0o700 });
  } catch (error) {
    throw new StackError(
      `cannot create the data folder ${path}: ${(error as Error).message}`,
      'Set QUIRE_DATA_DIR to a folder you may write to.',
      { cause: error },
    );
  }
}
