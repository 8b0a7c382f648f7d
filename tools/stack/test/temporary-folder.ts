import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Gone after the test; open to `nobody`, as whom the stores run when root runs the tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quire-stack-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
