import { migrate, openDatabase } from '@quire/shared/database';
import { classifyError } from '@quire/shared/errors';
import { createLogger } from '@quire/shared/logging';
import { createTestDatabase, startTcpProxy } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { createKey, TEST_SECRET } from '../../test/api-keys-for-test.js';
import { ApiKeys } from './api-keys.js';

const logger = createLogger('test', 'silent');

it('concurrent look-ups of more keys than the cache holds all return, also with STORAGE_UNAVAILABLE', async () => {
  const { url, drop } = await createTestDatabase();
  await migrate(url, logger);
  const proxy = await startTcpProxy(url);
  const db = openDatabase(proxy.url, logger, 2);
  onTestFinished(async () => {
    await db.destroy();
    await proxy.close();
    await drop();
  });
  const made = await Promise.all(Array.from({ length: 8 }, (_, i) => createKey(db, { tenant: `t${i}` })));
  const apiKeys = new ApiKeys(db, TEST_SECRET, 2);
  const found = await Promise.all(made.map(({ key }) => apiKeys.find(key)));
  expect(found.map((apiKey) => apiKey?.tenant)).toEqual(made.map(({ tenant }) => tenant));

  await proxy.cut();
  const unseen = new ApiKeys(db, TEST_SECRET, 2);
  const results = await Promise.allSettled(made.map(({ key }) => unseen.find(key)));
  expect(
    results.map((result) =>
      result.status === 'rejected' ? classifyError(result.reason).code : result.value,
    ),
  ).toEqual(made.map(() => 'STORAGE_UNAVAILABLE'));
});
