import { execFileSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StackError } from '../stack-error.js';

export interface StoreUser {
  uid: number;
  gid: number;
}

const OTHERS_READ_AND_ENTER = 0o005;
const OTHERS_ENTER = 0o001;

/** As root the stores run as `nobody` (Postgres refuses root); an ordinary user runs them as themselves. */
export function storeUser(): StoreUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch (error) {
    throw new StackError(
      'Postgres refuses to run as root, and there is no user `nobody` to run it as',
      'Run as an ordinary user, or create the user `nobody`, or set REDIS_URL, DATABASE_URL and QDRANT_URL.',
      { cause: error },
    );
  }
}

/** Whether others may enter every folder on the way, and read (or run) the thing itself. */
export async function isReachableByOthers(path: string): Promise<boolean> {
  let needed = OTHERS_READ_AND_ENTER;
  for (let current = path; ; current = dirname(current)) {
    const { mode } = await stat(current);
    if ((mode & needed) !== needed) return false;
    if (current === dirname(current)) return true;
    needed = OTHERS_ENTER;
  }
}

function idOf(flag: '-u' | '-g'): number {
  const id = Number(
    execFileSync('id', [flag, 'nobody'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  if (!Number.isInteger(id)) throw new Error(`id ${flag} nobody printed no number`);
  return id;
}
