import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from './temporary-folder.js';

const MAIN = join(import.meta.dirname, '../dist/main.js');
const ORDINARY_USER = 12_345;

it('npm start lists every configuration problem of the services once, and starts nothing', () => {
  const dataDir = join(temporaryFolder(), 'data');
  const { status, stdout, stderr } = start({
    QUIRE_DATA_DIR: dataDir,
    PORT: 'eighty',
    LOG_LEVEL: 'loud',
    HOST: '0.0.0.0',
    REDIS_URL: 'secret-address',
    AGENT_CONCURRENCY: '0',
    MODEL_PRICES: '{',
    EMBEDDER: 'openai',
    RETRIEVAL_NEIGHBOURS: 'perhaps',
    CORS_ORIGINS: ' ',
  });
  expect(stderr.split('\n').filter((line) => line.startsWith('  - '))).toEqual([
    '  - AGENT_CONCURRENCY: must be a whole number from 1 to 1000',
    '  - API_KEY_SECRET: must be set while AUTH is on, which it is on every HOST but loopback',
    '  - EMBEDDING_API_KEY: is needed with EMBEDDER=openai',
    '  - LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent',
    '  - MODEL_PRICES: must be JSON',
    '  - PORT: must be a whole number from 0 to 65535',
    '  - REDIS_URL: must be a redis:// or rediss:// URL',
    '  - RETRIEVAL_NEIGHBOURS: must be true or false',
  ]);
  expect(stderr).toContain('.env.example');
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stderr).not.toContain('secret-address');
  expect(stdout).not.toContain('Starting');
  expect(status).toBe(1);
  expect(existsSync(dataDir)).toBe(false);
});

it.each([
  ['is a file', (folder: string) => writeFileSync(join(folder, 'data'), ''), 'data'],
  ['lies below a file', (folder: string) => writeFileSync(join(folder, 'data'), ''), 'data/below'],
  ['has no room for the record of what runs', blockRunFolder, 'data'],
])('npm start fails at once when the data folder %s', (_how, prepare, path) => {
  const folder = temporaryFolder();
  prepare(folder);
  const { status, stderr } = start({ QUIRE_DATA_DIR: join(folder, path) });
  expect(stderr).toContain(join(folder, path));
  expect(stderr).toContain('QUIRE_DATA_DIR');
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(status).toBe(1);
});

it.runIf(process.getuid?.() === 0)(
  'npm start fails at once when the user may not write to the data folder',
  () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o555);
    const { status, stderr } = start({ QUIRE_DATA_DIR: folder }, ORDINARY_USER);
    expect(stderr).toContain(`cannot write to ${folder}/run: EACCES`);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(status).toBe(1);
  },
);

function blockRunFolder(folder: string): void {
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/run'), '');
}

function start(env: NodeJS.ProcessEnv, uid?: number) {
  return spawnSync(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
}
