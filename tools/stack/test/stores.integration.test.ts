import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import {
  startPostgres,
  startQdrant,
  startRedis,
  type RunningStore,
  type StoreOptions,
} from '../src/stores/index.js';
import { temporaryFolder } from './temporary-folder.js';

interface StoreCase {
  name: string;
  start: (options: StoreOptions) => Promise<RunningStore>;
  write: (store: RunningStore) => Promise<unknown>;
  read: (store: RunningStore) => Promise<unknown>;
}

const STORES: StoreCase[] = [
  {
    name: 'Redis',
    start: startRedis,
    write: ({ url }) => withRedis(url, (client) => client.set('key', 'kept')),
    read: ({ url }) => withRedis(url, (client) => client.get('key')),
  },
  {
    name: 'Postgres',
    start: startPostgres,
    write: ({ url }) => query(url, `CREATE TABLE kept AS SELECT 'kept' AS value`),
    read: async ({ url }) => (await query(url, 'SELECT value FROM kept')).rows[0]?.value,
  },
  {
    name: 'Qdrant',
    start: startQdrant,
    write: (store) => collection(store, 'PUT', { vectors: { size: 2, distance: 'Cosine' } }),
    read: async (store) => ((await collection(store, 'GET')).status === 200 ? 'kept' : undefined),
  },
];

describe.each(STORES)('$name', ({ name, start, write, read }) => {
  it(`an embedded ${name} has its data after SIGKILL and a new start on the same port`, async () => {
    const dataDir = temporaryFolder();
    const first = await running({ dataDir });
    await write(first);
    await first.kill('SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });

    const second = await running({ dataDir, port: first.port });
    expect(second.url).toBe(first.url);
    expect(second.pid).not.toBe(first.pid);
    expect(await read(second)).toBe('kept');
  });

  it(`an embedded ${name} stops gracefully, also when it is stopped twice`, async () => {
    // A throwaway store gets a short grace only, which a busy machine may exceed.
    const store = await running({ dataDir: temporaryFolder(), throwaway: false });
    await Promise.all([store.stop(), store.stop()]);
    await store.stop();
    expect(await store.exited).toEqual({ code: 0, signal: null });
    expect(store.lastLogLines().length).toBeGreaterThan(3);
  });

  it(`an embedded ${name} ends a previous one that still runs on the same data`, async () => {
    const dataDir = temporaryFolder();
    const first = await running({ dataDir });
    const second = await running({ dataDir });
    expect(second.pid).not.toBe(first.pid);
    expect(await first.exited).toBeDefined();
    await write(second);
  });

  it(`an embedded ${name} has its data and a new secret when the folder of secrets was deleted`, async () => {
    const dataDir = temporaryFolder();
    const first = await running({ dataDir });
    await write(first);
    await first.stop();
    const file = join(dataDir, 'secrets', first.name);
    const former = readFileSync(file, 'utf8');
    rmSync(join(dataDir, 'secrets'), { recursive: true });

    const second = await running({ dataDir });
    expect(await read(second)).toBe('kept');
    expect(readFileSync(file, 'utf8')).not.toBe(former);
    await second.stop();
    const third = await running({ dataDir });
    expect(await read(third)).toBe('kept');
  });

  it(`an embedded ${name} with an unreadable secret is refused with the file and a remedy`, async () => {
    const dataDir = temporaryFolder();
    const folder = join(dataDir, 'secrets');
    mkdirSync(folder);
    writeFileSync(join(folder, name.toLowerCase()), '');
    await expect(start({ ...common(), dataDir })).rejects.toMatchObject({
      name: 'StackError',
      message: expect.stringContaining(folder) as string,
      remedy: expect.stringContaining('delete it') as string,
    });
  });

  it.runIf(process.platform === 'linux')(
    `an embedded ${name} is unprivileged and does not inherit the environment`,
    async () => {
      process.env.GEMINI_API_KEY = 'secret-of-the-user';
      onTestFinished(() => void delete process.env.GEMINI_API_KEY);
      const store = await running({ dataDir: temporaryFolder() });
      expect(readFileSync(`/proc/${store.pid}/status`, 'utf8')).not.toMatch(/^Uid:\s+0\b/m);
      expect(readFileSync(`/proc/${store.pid}/environ`, 'utf8')).not.toContain('secret-of-the-user');
    },
  );

  it(`an embedded ${name} whose port another program holds fails with the reason and a remedy`, async () => {
    const first = await running({ dataDir: temporaryFolder() });
    const second = start({ ...common(), dataDir: temporaryFolder(), port: first.port });
    await expect(second).rejects.toMatchObject({
      name: 'StackError',
      message: expect.stringMatching(/address already in use/i) as string,
      remedy: expect.stringContaining('Another program holds the port') as string,
    });
  });

  async function running(options: StoreOptions): Promise<RunningStore> {
    const store = await start({ ...common(), ...options });
    onTestFinished(() => store.stop());
    return store;
  }
});

it('an embedded Redis makes no snapshot, and removes an old one if an append-only file holds the data', async () => {
  const dataDir = temporaryFolder();
  const first = await startRedis({ ...common(), dataDir });
  onTestFinished(() => first.stop());
  expect(await withRedis(first.url, (client) => client.config('GET', 'save'))).toEqual(['save', '']);
  await withRedis(first.url, (client) => client.set('key', 'kept'));
  await withRedis(first.url, (client) => client.save());
  await first.stop();
  const snapshot = join(dataDir, 'redis/dump.rdb');
  expect(existsSync(snapshot)).toBe(true);

  const second = await startRedis({ ...common(), dataDir });
  onTestFinished(() => second.stop());
  expect(existsSync(snapshot)).toBe(false);
  expect(await withRedis(second.url, (client) => client.get('key'))).toBe('kept');
});

it('an embedded Postgres with the password file of other data is refused with the file and a remedy', async () => {
  const dataDir = temporaryFolder();
  const store = await startPostgres({ ...common(), dataDir });
  await store.stop();
  const file = join(dataDir, 'secrets/postgres');
  writeFileSync(file, 'that-of-another-folder');
  await expect(startPostgres({ ...common(), dataDir })).rejects.toMatchObject({
    name: 'StackError',
    message: `Postgres does not accept the password in ${file}: its data has another password`,
    remedy: expect.stringContaining('delete it') as string,
  });
});

it('an embedded Postgres whose password file is missing gets a new password, with a notice', async () => {
  const dataDir = temporaryFolder();
  await startPostgres({ ...common(), dataDir }).then((store) => store.stop());
  rmSync(join(dataDir, 'secrets'), { recursive: true });
  const notices: string[] = [];
  const store = await startPostgres({ ...common(), dataDir, notice: (line) => notices.push(line) });
  onTestFinished(() => store.stop());
  expect(notices).toEqual([
    `The password file of Postgres is missing (${join(dataDir, 'secrets/postgres')}): setting a new password; the data is kept.`,
  ]);
});

function common() {
  const env = { ...process.env, DOCKER_HOST: 'unix:///nonexistent' };
  return { binDir: inject('quireStores').binDir, throwaway: true, env };
}

async function withRedis<T>(url: string, use: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url);
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}

async function query(url: string, statement: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<{ value: string }>(statement);
  } finally {
    await client.end();
  }
}

async function collection(
  { url, apiKey = '' }: RunningStore,
  method: string,
  body?: object,
): Promise<Response> {
  return await fetch(new URL('/collections/test', url), {
    method,
    headers: { 'content-type': 'application/json', connection: 'close', 'api-key': apiKey },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}
