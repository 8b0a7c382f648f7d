import { openDatabase, type Database } from '@quire/shared/database';
import { createLogger } from '@quire/shared/logging';
import type { Surroundings } from './command-context.js';
import { CommandFailure } from './command-failure.js';
import { databaseAddress } from './connections.js';

const CONNECTIONS = 2;
const UNDEFINED_TABLE = '42P01';

/** Works on the database that the services use; they make its tables when they start. */
export async function withDatabase<T>(
  surroundings: Surroundings,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const url = await databaseAddress(surroundings);
  const db = openDatabase(url, createLogger('cli', 'silent'), CONNECTIONS);
  try {
    return await work(db);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE)) throw error;
    throw new CommandFailure('The database has no tables of this Quire yet: start the services once.');
  } finally {
    await db.destroy();
  }
}
