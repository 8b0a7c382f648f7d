import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { requireSha256 } from './packaged-qdrant.js';

const SHA256_OF_HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

it('a packaged program is refused when its sha256 is not the pinned one', async () => {
  await expect(requireSha256(fileWith('hello, but different'), SHA256_OF_HELLO)).rejects.toMatchObject({
    name: 'StackError',
    message: expect.stringContaining(`expected ${SHA256_OF_HELLO}`) as string,
    remedy: expect.stringContaining('Do not run it') as string,
  });
});

it('a packaged program is accepted when its sha256 is the pinned one', async () => {
  await expect(requireSha256(fileWith('hello'), SHA256_OF_HELLO)).resolves.toBeUndefined();
});

function fileWith(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'quire-sha256-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'program'), content);
  return join(folder, 'program');
}
