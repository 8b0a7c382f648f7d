import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The file that Redis appends its writes to at present, and its size. */
export async function appendOnlyFile(dataDir: string): Promise<{ path: string; bytes: number }> {
  const folder = join(dataDir, 'redis', 'appendonlydir');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.incr.aof'));
  const newest = names.sort((a, b) => numberOf(a) - numberOf(b)).at(-1);
  if (newest === undefined) throw new Error(`Redis appends to no file in ${folder}`);
  const path = join(folder, newest);
  return { path, bytes: (await stat(path)).size };
}

function numberOf(name: string): number {
  return Number(/\.(\d+)\.incr\.aof$/.exec(name)?.[1] ?? 0);
}
