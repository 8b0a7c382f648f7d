import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE } from './tool-paths.js';

/** Gives `work` a new folder inside this package, so that its code finds the package's dependencies. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(PACKAGE, '.generated-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
