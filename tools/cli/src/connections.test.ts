import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { databaseAddress, indexName, qdrantAddress, redisAddress } from './connections.js';

let cwd: string;
const stack = {
  redisUrl: 'redis://stack:1',
  databaseUrl: 'postgres://stack:3/quire',
  qdrantUrl: 'http://stack:2',
  qdrantApiKey: 'key',
  collection: 'books',
};
const writeStack = async (content: unknown) => {
  await mkdir(join(cwd, '.quire'), { recursive: true });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  await writeFile(join(cwd, '.quire', 'stack.json'), text);
};

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'quire-cwd-'));
});
afterEach(() => rm(cwd, { recursive: true }));

it('a command uses the stores that its variables name', async () => {
  await writeStack(stack);
  const own = { REDIS_URL: 'redis://own:2', DATABASE_URL: 'postgres://own/q' };
  const env = { ...own, QDRANT_URL: 'https://own:3', QDRANT_API_KEY: 'mine' };
  expect(await redisAddress({ env, cwd })).toBe('redis://own:2');
  expect(await databaseAddress({ env, cwd })).toBe('postgres://own/q');
  expect(await qdrantAddress({ env, cwd })).toEqual({ url: 'https://own:3', apiKey: 'mine' });
});

it("a command uses the running stack's Qdrant with its key, whatever key is set for another Qdrant", async () => {
  await writeStack(stack);
  const env = { QDRANT_API_KEY: 'of-another' };
  expect(await qdrantAddress({ env, cwd })).toEqual({ url: 'http://stack:2', apiKey: 'key' });
  await writeStack({ ...stack, qdrantApiKey: undefined });
  expect(await qdrantAddress({ env, cwd })).toEqual({ url: 'http://stack:2', apiKey: 'of-another' });
});

it("a command uses the running stack's stores, also in another data folder, when no variable names one", async () => {
  await writeStack(stack);
  const elsewhere = { env: { QUIRE_DATA_DIR: join(cwd, '.quire') }, cwd: '/' };
  for (const surroundings of [{ env: {}, cwd }, elsewhere]) {
    expect(await redisAddress(surroundings)).toBe('redis://stack:1');
    expect(await databaseAddress(surroundings)).toBe('postgres://stack:3/quire');
    expect(await qdrantAddress(surroundings)).toEqual({ url: 'http://stack:2', apiKey: 'key' });
  }
});

it.each(['{}', 'null', 'not json', '{"redisUrl":"http://x","qdrantUrl":"redis://x"}'])(
  'a stack file with %s is refused by name',
  async (text) => {
    await writeStack(text);
    await expect(redisAddress({ env: {}, cwd })).rejects.toThrow(/stack\.json does not hold a redis:\/\//);
    await expect(qdrantAddress({ env: {}, cwd })).rejects.toThrow(/stack\.json does not hold the http:/);
    await expect(databaseAddress({ env: {}, cwd })).rejects.toThrow(/does not hold the postgres:/);
  },
);

it('a command without a variable and a running stack prints what to do', async () => {
  const surroundings = { env: { QUIRE_DATA_DIR: cwd }, cwd };
  await expect(redisAddress(surroundings)).rejects.toThrow(/npm start.*REDIS_URL/);
  await expect(qdrantAddress(surroundings)).rejects.toThrow(/npm start.*QDRANT_URL/);
  await expect(databaseAddress(surroundings)).rejects.toThrow(/npm start.*DATABASE_URL/);
});

it.each([
  ['REDIS_URL', 'localhost', redisAddress],
  ['DATABASE_URL', 'localhost', databaseAddress],
  ['QDRANT_URL', 'localhost', qdrantAddress],
  ['DATABASE_URL', 'localhost', databaseAddress],
  ['QDRANT_COLLECTION', 'a/b', indexName],
])('an invalid %s is refused by name', async (name, value, read) => {
  await expect(read({ env: { [name]: value }, cwd })).rejects.toThrow(new RegExp(`^${name} `));
});

it('a command\'s index is the one that QDRANT_COLLECTION or the running stack names, else "quire"', async () => {
  const nowhere = { QUIRE_DATA_DIR: cwd };
  expect(await indexName({ env: nowhere, cwd })).toBe('quire');
  expect(await indexName({ env: { QDRANT_COLLECTION: 'mine' }, cwd })).toBe('mine');
  await writeStack(stack);
  expect(await indexName({ env: {}, cwd })).toBe('books');
});

it("a command's index is not that of the running stack when a variable names a store", async () => {
  await writeStack(stack);
  expect(await indexName({ env: { REDIS_URL: 'redis://own:2' }, cwd })).toBe('quire');
});
