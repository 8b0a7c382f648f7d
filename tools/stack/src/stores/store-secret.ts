import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoreName } from './running-store.js';

/** Loopback is shared by every user of the machine: a password made once per data folder keeps the others out. */
export async function storePassword(dataDir: string, name: StoreName): Promise<string> {
  const folder = join(dataDir, 'secrets');
  const file = join(folder, name);
  const draft = `${file}.${process.pid}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(draft, randomBytes(24).toString('hex'), { mode: 0o600 });
  // Linking is all or nothing: a crash cannot leave half a password behind.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return await readFile(file, 'utf8');
}
