import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readEnvironment } from './env-file.js';

let repository: string;
beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'quire-env-'));
  writeFileSync(
    join(repository, '.env.example'),
    '# Gateway\nPORT=\nGEMINI_API_KEY=\nQUIRE_DATA_DIR=.quire\n',
  );
});
afterEach(() => rmSync(repository, { recursive: true }));

it('the environment of the stack holds the variables of .env, unless they are set already', () => {
  writeFileSync(join(repository, '.env'), 'PORT=1\nGEMINI_API_KEY=of-the-file\n');
  const { env, notices } = readEnvironment(repository, { PORT: '2' });
  expect(env).toEqual({ PORT: '2', GEMINI_API_KEY: 'of-the-file' });
  expect(notices).toEqual([]);
});

it('the environment of the stack is that of the process when there is no .env', () => {
  expect(readEnvironment(repository, { PORT: '2' }).env).toEqual({ PORT: '2' });
});

it('the environment of the stack is read with a notice for each unknown variable that resembles a known one', () => {
  writeFileSync(join(repository, '.env'), 'PROT=1\nGEMINI_KEY=k\nSOMETHING_ELSE=1\n');
  expect(readEnvironment(repository, { QUIRE_DATADIR: '/data', POST: '1' }).notices).toEqual([
    'Quire knows no variable PROT (in .env): is PORT meant?',
    'Quire knows no variable QUIRE_DATADIR (in the environment): is QUIRE_DATA_DIR meant?',
  ]);
});

it('the environment of the stack cannot be read from an .env that is not a file, and the error names it', () => {
  mkdirSync(join(repository, '.env'));
  expect(() => readEnvironment(repository, {})).toThrow(`${join(repository, '.env')} cannot be read: EISDIR`);
});
