import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE } from './tool-paths.js';

/** Lends a fresh folder inside this package, so that code in it finds the package's dependencies. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(PACKAGE, '.generated-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
