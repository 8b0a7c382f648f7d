import { readFileSync } from 'node:fs';
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
  write: (url: string) => Promise<unknown>;
  read: (url: string) => Promise<unknown>;
}

const STORES: StoreCase[] = [
  {
    name: 'Redis',
    start: startRedis,
    write: (url) => withRedis(url, (client) => client.set('key', 'kept')),
    read: (url) => withRedis(url, (client) => client.get('key')),
  },
  {
    name: 'Postgres',
    start: startPostgres,
    write: (url) => query(url, `CREATE TABLE kept AS SELECT 'kept' AS value`),
    read: async (url) => (await query(url, 'SELECT value FROM kept')).rows[0]?.value,
  },
  {
    name: 'Qdrant',
    start: startQdrant,
    write: (url) => collection(url, 'PUT', { vectors: { size: 2, distance: 'Cosine' } }),
    read: async (url) => ((await collection(url, 'GET')).status === 200 ? 'kept' : undefined),
  },
];

describe.each(STORES)('an embedded $name', ({ start, write, read }) => {
  it('answers, and has its data after SIGKILL and a new start on the same port', async () => {
    const dataDir = temporaryFolder();
    const first = await running({ dataDir });
    await write(first.url);
    await first.kill('SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });

    const second = await running({ dataDir, port: first.port });
    expect(second.url).toBe(first.url);
    expect(second.pid).not.toBe(first.pid);
    expect(await read(second.url)).toBe('kept');
  });

  it('stops gracefully, once, however often it is asked', async () => {
    // One that is thrown away gets a short grace only, which a busy machine outlasts.
    const store = await running({ dataDir: temporaryFolder(), throwaway: false });
    await Promise.all([store.stop(), store.stop()]);
    await store.stop();
    expect(await store.exited).toEqual({ code: 0, signal: null });
    expect(store.lastLogLines().length).toBeGreaterThan(3);
  });

  it('ends the one that still runs on the same data', async () => {
    const dataDir = temporaryFolder();
    const first = await running({ dataDir });
    const second = await running({ dataDir });
    expect(second.pid).not.toBe(first.pid);
    expect(await first.exited).toBeDefined();
    await write(second.url);
  });

  it.runIf(process.platform === 'linux')('is unprivileged and gets nothing of our environment', async () => {
    process.env.GEMINI_API_KEY = 'secret-of-the-user';
    onTestFinished(() => void delete process.env.GEMINI_API_KEY);
    const store = await running({ dataDir: temporaryFolder() });
    expect(readFileSync(`/proc/${store.pid}/status`, 'utf8')).not.toMatch(/^Uid:\s+0\b/m);
    expect(readFileSync(`/proc/${store.pid}/environ`, 'utf8')).not.toContain('secret-of-the-user');
  });

  it('says why when its port is taken by somebody else', async () => {
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

async function collection(url: string, method: string, body?: object): Promise<Response> {
  return await fetch(new URL('/collections/test', url), {
    method,
    headers: { 'content-type': 'application/json', connection: 'close' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}
