import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { gatewayAddress } from './gateway-address.js';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'quire-cwd-'));
});
afterEach(() => rm(cwd, { recursive: true }));

const writeStack = async (stack: unknown) => {
  await mkdir(join(cwd, '.quire'));
  await writeFile(join(cwd, '.quire', 'stack.json'), JSON.stringify(stack));
};
const urlOf = async (env: Record<string, string>, option?: string) =>
  (await gatewayAddress({ env: { QUIRE_DATA_DIR: join(cwd, '.quire'), ...env }, cwd }, { url: option })).url;

it("a command's gateway is the one that --url names, else QUIRE_URL, else that of the running stack", async () => {
  await writeStack({ gatewayUrl: 'http://stack:1' });
  expect(await urlOf({ QUIRE_URL: 'http://own:2' }, 'http://option:3')).toBe('http://option:3');
  expect(await urlOf({ QUIRE_URL: 'http://own:2' })).toBe('http://own:2');
  expect(await urlOf({ QUIRE_URL: '' })).toBe('http://stack:1');
});

it("a command's gateway is at its default address when nothing names one", async () => {
  expect(await urlOf({})).toBe('http://127.0.0.1:8787');
  await writeStack({ redisUrl: 'redis://stack:1' });
  expect(await urlOf({})).toBe('http://127.0.0.1:8787');
});

it('an invalid gateway address is refused by name', async () => {
  await expect(urlOf({ QUIRE_URL: 'localhost:8787' })).rejects.toThrow(/^QUIRE_URL must be/);
  await writeStack({ gatewayUrl: 7 });
  await expect(urlOf({})).rejects.toThrow(/stack\.json does not hold/);
});

it('a command sends the key that --api-key names, else QUIRE_API_KEY', async () => {
  const env = { QUIRE_API_KEY: 'key', QUIRE_URL: 'http://own:2' };
  expect(await gatewayAddress({ env, cwd })).toEqual({ url: 'http://own:2', apiKey: 'key' });
  expect(await gatewayAddress({ env, cwd }, { apiKey: 'mine' })).toMatchObject({ apiKey: 'mine' });
});
