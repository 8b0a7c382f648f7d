import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const stores = {
  REDIS_URL: 'redis://127.0.0.1:1',
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  QDRANT_URL: 'http://127.0.0.1:1',
};

it.each([
  ['without authentication', { AUTH: 'off' }, /AUTH: .*loopback HOST only.*0\.0\.0\.0/],
  ['without a secret for its keys', {}, /API_KEY_SECRET: must be set/],
])('a gateway on a public address does not start %s, and says why', (_how, env, words) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], {
    env: { ...stores, ...env, HOST: '0.0.0.0', PORT: '0' },
    timeout: 240_000,
    encoding: 'utf8',
  });
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
  expect({ status, ...last }).toMatchObject({
    status: 1,
    level: 'fatal',
    message: expect.stringMatching(words),
  });
  expect(last).not.toHaveProperty('error');
  expect(stderr).toMatch(words);
  expect(stderr).not.toMatch(/^\s+at /m);
});
