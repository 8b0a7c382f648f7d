import { createTestDatabase } from '@quire/testkit';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../database/index.js';
import { createLogger } from './logger.js';

it.each([
  ['a row that Postgres refused', sql`INSERT INTO notes VALUES ('Who am I?', NULL)`],
  ['a text that Postgres could not read', sql`SELECT ('{"q": "Who am I?' || '}')::json`],
])('%s is logged without its content', async (_what, statement) => {
  const database = await createTestDatabase();
  const db = openDatabase(database.url, createLogger('test', 'silent'), 1);
  onTestFinished(async () => {
    await db.destroy();
    await database.drop();
  });
  await sql`CREATE TABLE notes (question text, answer text NOT NULL)`.execute(db);
  const error: unknown = await statement.execute(db).catch((thrown: unknown) => thrown);
  // The error itself contains it, so that the test can fail.
  expect(JSON.stringify(error)).toContain('Who am I?');
  const lines: string[] = [];
  createLogger('test', 'info', { write: (line) => lines.push(line) }).warn({ error }, 'Statement refused');
  expect(lines.join('')).toContain('Statement refused');
  expect(lines.join('')).not.toContain('Who am I?');
});
