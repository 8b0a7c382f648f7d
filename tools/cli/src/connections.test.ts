import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

describe('the stores a command talks to', () => {
  test("are the user's own, where a variable names them", async () => {
    await writeStack(stack);
    const own = { REDIS_URL: 'redis://own:2', DATABASE_URL: 'postgres://own/q' };
    const env = { ...own, QDRANT_URL: 'https://own:3', QDRANT_API_KEY: 'mine' };
    expect(await redisAddress({ env, cwd })).toBe('redis://own:2');
    expect(await databaseAddress({ env, cwd })).toBe('postgres://own/q');
    expect(await qdrantAddress({ env, cwd })).toEqual({ url: 'https://own:3', apiKey: 'mine' });
  });

  test("are the running stack's with its key, whatever key is set for another Qdrant", async () => {
    await writeStack(stack);
    const env = { QDRANT_API_KEY: 'of-another' };
    expect(await qdrantAddress({ env, cwd })).toEqual({ url: 'http://stack:2', apiKey: 'key' });
    await writeStack({ ...stack, qdrantApiKey: undefined });
    expect(await qdrantAddress({ env, cwd })).toEqual({ url: 'http://stack:2', apiKey: 'of-another' });
  });

  test('otherwise those of the running stack, in its data folder if that was moved', async () => {
    await writeStack(stack);
    const elsewhere = { env: { QUIRE_DATA_DIR: join(cwd, '.quire') }, cwd: '/' };
    for (const surroundings of [{ env: {}, cwd }, elsewhere]) {
      expect(await redisAddress(surroundings)).toBe('redis://stack:1');
      expect(await databaseAddress(surroundings)).toBe('postgres://stack:3/quire');
      expect(await qdrantAddress(surroundings)).toEqual({ url: 'http://stack:2', apiKey: 'key' });
    }
  });

  test.each(['{}', 'null', 'not json', '{"redisUrl":"http://x","qdrantUrl":"redis://x"}'])(
    'a stack file with %s is named',
    async (text) => {
      await writeStack(text);
      await expect(redisAddress({ env: {}, cwd })).rejects.toThrow(/stack\.json does not hold a redis:\/\//);
      await expect(qdrantAddress({ env: {}, cwd })).rejects.toThrow(/stack\.json does not hold the http:/);
      await expect(databaseAddress({ env: {}, cwd })).rejects.toThrow(/does not hold the postgres:/);
    },
  );

  test('with neither, the user is told what to do', async () => {
    const surroundings = { env: { QUIRE_DATA_DIR: cwd }, cwd };
    await expect(redisAddress(surroundings)).rejects.toThrow(/npm start.*REDIS_URL/);
    await expect(qdrantAddress(surroundings)).rejects.toThrow(/npm start.*QDRANT_URL/);
    await expect(databaseAddress(surroundings)).rejects.toThrow(/npm start.*DATABASE_URL/);
  });

  test.each([
    ['REDIS_URL', 'localhost', redisAddress],
    ['DATABASE_URL', 'localhost', databaseAddress],
    ['QDRANT_URL', 'localhost', qdrantAddress],
    ['DATABASE_URL', 'localhost', databaseAddress],
    ['QDRANT_COLLECTION', 'a/b', indexName],
  ])('a %s that is none is refused by name', async (name, value, read) => {
    await expect(read({ env: { [name]: value }, cwd })).rejects.toThrow(new RegExp(`^${name} `));
  });
});

describe('the index a command works on', () => {
  test('is the one that QDRANT_COLLECTION or the running stack names, else "quire"', async () => {
    const nowhere = { QUIRE_DATA_DIR: cwd };
    expect(await indexName({ env: nowhere, cwd })).toBe('quire');
    expect(await indexName({ env: { QDRANT_COLLECTION: 'mine' }, cwd })).toBe('mine');
    await writeStack(stack);
    expect(await indexName({ env: {}, cwd })).toBe('books');
  });

  test("is not that of the running stack when the stores are the user's own", async () => {
    await writeStack(stack);
    expect(await indexName({ env: { REDIS_URL: 'redis://own:2' }, cwd })).toBe('quire');
  });
});
