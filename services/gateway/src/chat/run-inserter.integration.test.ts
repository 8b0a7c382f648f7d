import { randomUUID } from 'node:crypto';
import { migrate, openDatabase } from '@quire/shared/database';
import { createLogger } from '@quire/shared/logging';
import { createTestDatabase } from '@quire/testkit';
import { expect, it } from 'vitest';
import { RunInserter } from './run-inserter.js';

const newRun = (id = randomUUID()) => ({
  id,
  tenant: 'local',
  request: { message: 'Hi', session_id: randomUUID(), top_k: 5 },
  acceptedAt: new Date(),
  deadlineAt: new Date(),
});

it('RunInserter inserts concurrent runs in few statements, and each caller gets the result of its own', async () => {
  const database = await createTestDatabase();
  const logger = createLogger('test', 'silent');
  const db = openDatabase(database.url, logger);
  await migrate(database.url, logger);
  let statements = 0;
  const counted = db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  try {
    const inserter = new RunInserter(counted);
    await Promise.all(Array.from({ length: 100 }, () => inserter.insert(newRun())));
    expect(statements).toBe(2);
    const twice = newRun();
    await inserter.insert(twice);
    await expect(inserter.insert(twice)).rejects.toThrow(/duplicate key/);
    await expect(inserter.insert(newRun())).resolves.toBe(true);
  } finally {
    await db.destroy();
    await database.drop();
  }
});
