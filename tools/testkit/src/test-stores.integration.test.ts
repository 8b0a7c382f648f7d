import { Redis } from 'ioredis';
import { Client } from 'pg';
import { expect, inject, it } from 'vitest';
import { createTestDatabase } from './test-database.js';
import { qdrantUrl, uniqueCollection } from './test-qdrant.js';
import { testRedisUrl } from './test-redis.js';

it('the shared stores give every caller an empty Redis database of its own', async () => {
  const [first, second] = [new Redis(await testRedisUrl()), new Redis(await testRedisUrl())];
  await first.set('key', 'of the first');
  expect(await second.get('key')).toBeNull();
  expect(await second.dbsize()).toBe(0);
  first.disconnect();
  second.disconnect();
});

it('the shared stores give concurrent callers a Postgres database each', async () => {
  const databases = await Promise.all(Array.from({ length: 4 }, () => createTestDatabase()));
  expect(new Set(databases.map(({ url }) => url)).size).toBe(4);
  await Promise.all(
    databases.map(async ({ url }) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query('CREATE TABLE only_here (id int)');
      await client.end();
    }),
  );
  await Promise.all(databases.map((database) => database.drop()));
});

it('the shared stores drop a Postgres database that still has connections', async () => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  await database.drop();
  await expect(client.query('SELECT 1')).rejects.toThrow(/terminat|not queryable/);
});

it('the shared stores include a Qdrant with unique collection names', async () => {
  const collection = new URL(`/collections/${uniqueCollection()}`, qdrantUrl());
  const created = await fetch(collection, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ vectors: { size: 4, distance: 'Cosine' } }),
  });
  expect(created.status).toBe(200);
  expect((await fetch(collection, { method: 'DELETE' })).status).toBe(200);
});

it('all test workers of a run share the same stores', async () => {
  const client = new Redis(inject('quireStores').redisUrl);
  expect(Number(await client.get('quire:testkit:databases'))).toBeGreaterThan(0);
  client.disconnect();
});
