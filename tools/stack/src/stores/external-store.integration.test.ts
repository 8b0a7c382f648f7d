import { expect, inject, it } from 'vitest';
import { externalStore } from './external-store.js';
import { startStores } from './start-stores.js';

it('a store of the user is used unchanged, and left running', async () => {
  const { redisUrl, postgresUrl, qdrantUrl } = inject('quireStores');
  const env = { REDIS_URL: redisUrl, DATABASE_URL: postgresUrl, QDRANT_URL: qdrantUrl };
  const stores = await startStores({ dataDir: '/nonexistent', env });
  expect(stores.all.map(({ name, origin, url }) => [name, origin, url])).toEqual([
    ['redis', 'external', redisUrl],
    ['postgres', 'external', postgresUrl],
    ['qdrant', 'external', qdrantUrl],
  ]);
  await stores.stop();
  expect(await externalStore('redis', env)).toBeDefined();
});
