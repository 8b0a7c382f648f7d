import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterEach, expect, it } from 'vitest';
import {
  startPrivatePostgres,
  startPrivateQdrant,
  startPrivateRedis,
  type PrivateStore,
} from './private-store.js';

let store: PrivateStore | undefined;
afterEach(() => store?.cleanup());

it('a private Redis restarts on the same port with its data after SIGKILL', async () => {
  store = await startPrivateRedis();
  await withRedis(store.url, (client) => client.set('kept', 'yes'));
  const { pid } = store;
  await store.kill();
  await store.restart();
  expect(store.pid).not.toBe(pid);
  expect(await withRedis(store.url, (client) => client.get('kept'))).toBe('yes');
});

it('a private Postgres restarts on the same port with its data after SIGKILL', async () => {
  store = await startPrivatePostgres();
  const held = new Client({ connectionString: store.url });
  held.on('error', () => {});
  await held.connect();
  await held.query('CREATE TABLE kept AS SELECT 1 AS id');
  await store.kill();
  await store.restart();
  const client = new Client({ connectionString: store.url });
  await client.connect();
  expect((await client.query('SELECT id FROM kept')).rows).toEqual([{ id: 1 }]);
  await client.end();
});

it('a private Qdrant restarts on the same port with its data after SIGKILL', async () => {
  store = await startPrivateQdrant();
  const collection = new URL('/collections/kept', store.url);
  await fetch(collection, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ vectors: { size: 4, distance: 'Cosine' } }),
  });
  await store.kill();
  await expect(fetch(collection)).rejects.toThrow('fetch failed');
  await store.restart();
  expect((await fetch(collection)).status).toBe(200);
});

async function withRedis<T>(url: string, use: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url);
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}
