import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { isReachableByOthers, storeUser } from '../store-user.js';

/**
 * A path to the same program (or folder of programs) that the stores' user can reach: itself, or a copy in `binDir`
 * when it lies behind a folder such as /root that only root may enter.
 */
export async function reachableCopy(path: string, binDir: string): Promise<string> {
  const original = await realpath(path);
  if (!storeUser() || (await isReachableByOthers(original))) return original;
  const { size, mtimeMs } = await stat(original);
  const hash = createHash('sha256').update(`${original}:${size}:${mtimeMs}`).digest('hex').slice(0, 12);
  const copy = join(binDir, `${basename(original)}-${hash}`);
  if (await stat(copy).catch(() => undefined)) return copy;

  const draft = `${copy}.${process.pid}`;
  await mkdir(binDir, { recursive: true, mode: 0o755 });
  await cp(original, draft, { recursive: true, verbatimSymlinks: true });
  await promisify(execFile)('chmod', ['-R', 'a+rX', draft]);
  await rename(draft, copy).catch(async () => {
    // Another process made the same copy first.
    await rm(draft, { recursive: true, force: true });
  });
  return copy;
}
