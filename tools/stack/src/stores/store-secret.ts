import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StackError } from '../stack-error.js';
import type { StoreName } from './running-store.js';

const USABLE = /^[\w-]{8,}$/;

export const newSecret = (): string => randomBytes(24).toString('hex');

export const secretFile = (dataDir: string, name: StoreName): string => join(dataDir, 'secrets', name);

/**
 * The password or API key of a store. Loopback is shared by every user of the machine, and by every page in their
 * browsers: a secret made once per data folder keeps them out.
 */
export async function storeSecret(dataDir: string, name: StoreName): Promise<string> {
  return (await keptSecret(dataDir, name)) ?? (await keepSecret(dataDir, name, newSecret()));
}

/** `undefined` where the folder holds none: it is new, or its secrets were deleted. */
export async function keptSecret(dataDir: string, name: StoreName): Promise<string | undefined> {
  const file = secretFile(dataDir, name);
  try {
    const secret = (await readFile(file, 'utf8')).trim();
    if (!USABLE.test(secret)) throw new Error('it holds no password of eight or more plain characters');
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StackError(
      `the secret of ${name} in ${file} cannot be used: ${(error as Error).message}`,
      `Make it readable for you, or delete it: the next start makes a new one and keeps the data of ${name}.`,
      { cause: error },
    );
  }
}

/** Resolves with the secret that is kept in the end: that of another process if it was quicker. */
export async function keepSecret(dataDir: string, name: StoreName, secret: string): Promise<string> {
  const file = secretFile(dataDir, name);
  const folder = join(dataDir, 'secrets');
  const draft = `${file}.${process.pid}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    await writeFile(draft, secret, { mode: 0o600 });
    // Linking is all or nothing: a crash cannot leave half a secret behind.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(draft);
  } catch (error) {
    throw new StackError(
      `cannot keep the secret of ${name} in ${folder}: ${(error as Error).message}`,
      `Make ${folder} a folder that you may write to, or set QUIRE_DATA_DIR to another one.`,
      { cause: error },
    );
  }
  return (await keptSecret(dataDir, name)) ?? secret;
}
