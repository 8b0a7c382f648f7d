import { migrate, openDatabase, type Database } from '@quire/shared/database';
import { classifyError } from '@quire/shared/errors';
import { createLogger } from '@quire/shared/logging';
import type { Surroundings } from './command-context.js';
import { CommandFailure } from './command-failure.js';
import { databaseAddress, withoutPassword } from './connections.js';

const CONNECTIONS = 2;
const UNDEFINED_TABLE = '42P01';

/** Gives `work` the database of the services; with `migrated` its tables are made first, as services do at start. */
export async function withDatabase<T>(
  surroundings: Surroundings,
  work: (db: Database) => Promise<T>,
  { migrated = false } = {},
): Promise<T> {
  const url = await databaseAddress(surroundings);
  const logger = createLogger('cli', 'silent');
  const db = openDatabase(url, logger, CONNECTIONS);
  try {
    if (migrated) await migrate(url, logger);
    return await work(db);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE)
      throw new CommandFailure('The database has no tables of this Quire yet: start the services once.');
    if (classifyError(error).code !== 'STORAGE_UNAVAILABLE') throw error;
    throw new CommandFailure(`Postgres does not answer at ${withoutPassword(url)}: is it running?`);
  } finally {
    await db.destroy();
  }
}
