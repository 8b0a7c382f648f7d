import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepAtEnd, removeAtEnd } from '@quire/stack/stores';

/** A folder for stores of a test run. Started by root they run as the user `nobody`, which must be able to enter it. */
export async function makeTestFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-test-'));
  removeAtEnd(folder);
  await chmod(folder, 0o755);
  return folder;
}

export async function removeTestFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  keepAtEnd(folder);
}
