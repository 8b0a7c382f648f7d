import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadEnvFile } from './load-env-file.js';

it('an .env that cannot be read ends a command with its path, and an absent one does not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-env-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(() => loadEnvFile(folder)).toThrow(`${folder} cannot be read: `);
  expect(() => loadEnvFile(join(folder, '.env'))).not.toThrow();
});
