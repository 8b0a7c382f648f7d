import { statfs } from 'node:fs/promises';
import { StackError } from '../stack-error.js';

const NEEDED_BYTES = 500 * 1024 * 1024;

/** A store that runs out of disk fails late and with unclear errors, so none is started without some free space. */
export async function requireDiskSpace(dataDir: string, neededBytes = NEEDED_BYTES): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  if (free >= neededBytes) return;
  throw new StackError(
    `only ${megabytes(free)} MB of disk are free at ${dataDir}; the stores need ${megabytes(neededBytes)} MB`,
    'Free some space, or set QUIRE_DATA_DIR to a folder on another disk.',
  );
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / (1024 * 1024));
}
