import { createTestDatabase } from '@quire/testkit';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { newRun } from '../../test/runs.js';
import { silentLogger } from '../../test/silent-logger.js';
import { openDatabase } from './database.js';
import { migrate } from './migrate.js';
import { findRun, insertRuns } from './run.repository.js';

it('any number of processes may migrate an empty database at once, and it is done once', async () => {
  const { url, drop } = await createTestDatabase();
  const databases = Array.from({ length: 5 }, () => openDatabase(url, silentLogger, 2));
  onTestFinished(async () => {
    await Promise.all(databases.map((db) => db.destroy()));
    await drop();
  });
  await Promise.all(databases.map((db) => migrate(db, silentLogger)));
  const [db] = databases;
  if (!db) throw new Error('no database');
  const applied = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db);
  expect(applied.rows.map(({ name }) => name)).toEqual([
    '0001-runs-and-threads',
    '0002-cancelled-runs',
    '0003-threads-by-age',
    '0004-model-usage',
    '0005-runs-asked-again',
    '0006-thread-lives',
    '0007-api-keys',
  ]);
  const tables = await db.introspection.getTables();
  expect(tables.map(({ name }) => name).sort()).toEqual([
    'api_keys',
    'feedback',
    'messages',
    'model_usage',
    'runs',
    'threads',
  ]);
});

it('migrating again changes nothing', async () => {
  const { url, drop } = await createTestDatabase();
  const db = openDatabase(url, silentLogger, 2);
  onTestFinished(async () => {
    await db.destroy();
    await drop();
  });
  await migrate(db, silentLogger);
  const run = newRun();
  await insertRuns(db, [run]);
  await migrate(db, silentLogger);
  expect(await findRun(db, run.id)).toMatchObject({ id: run.id });
});
