import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadEnvFile } from './load-env-file.js';

test('an .env that cannot be read ends a command with its path, and one that is absent does not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-env-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(() => loadEnvFile(folder)).toThrow(`${folder} cannot be read: `);
  expect(() => loadEnvFile(join(folder, '.env'))).not.toThrow();
});
