import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { redisAddress } from './redis-address.js';

let cwd: string;
const writeStack = async (text: string) => {
  await mkdir(join(cwd, '.quire'), { recursive: true });
  await writeFile(join(cwd, '.quire', 'stack.json'), text);
};

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'quire-cwd-'));
});
afterEach(() => rm(cwd, { recursive: true }));

test('REDIS_URL comes first', async () => {
  await writeStack('{"redisUrl":"redis://stack:1"}');
  expect(await redisAddress({ env: { REDIS_URL: 'redis://own:2' }, cwd })).toBe('redis://own:2');
});

test('otherwise the running stack is asked, in its data folder if that was moved', async () => {
  await writeStack('{"redisUrl":"redis://stack:1"}');
  expect(await redisAddress({ env: {}, cwd })).toBe('redis://stack:1');
  const elsewhere = { QUIRE_DATA_DIR: join(cwd, '.quire') };
  expect(await redisAddress({ env: elsewhere, cwd: '/' })).toBe('redis://stack:1');
});

test.each(['{}', 'null', 'not json', '{"redisUrl":"http://x"}'])(
  'a stack file with %s is named',
  async (text) => {
    await writeStack(text);
    await expect(redisAddress({ env: {}, cwd })).rejects.toThrow(/stack\.json does not hold a redis:\/\//);
  },
);

test('with neither, the user is told what to do', async () => {
  await expect(redisAddress({ env: { QUIRE_DATA_DIR: cwd }, cwd })).rejects.toThrow(/npm start.*REDIS_URL/);
});

test('a REDIS_URL that is no Redis URL is refused', async () => {
  await expect(redisAddress({ env: { REDIS_URL: 'localhost' }, cwd })).rejects.toThrow(
    'REDIS_URL does not hold',
  );
});
