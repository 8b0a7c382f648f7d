import { apiKeySecretSchema } from '@quire/shared/api-keys';
import { migrate, openDatabase, type Database } from '@quire/shared/database';
import { classifyError } from '@quire/shared/errors';
import { createLogger } from '@quire/shared/logging';
import type { Surroundings } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { checked, databaseAddress, withoutPassword } from '../connections.js';

/** Lends a piece of work the database that the keys are in, made ready for the first of them. */
export async function withKeyDatabase<T>(
  surroundings: Surroundings,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const url = await databaseAddress(surroundings);
  const logger = createLogger('cli', 'silent');
  const db = openDatabase(url, logger, 1);
  try {
    await migrate(url, logger);
    return await work(db);
  } catch (error) {
    if (classifyError(error).code !== 'STORAGE_UNAVAILABLE') throw error;
    throw new CommandFailure(`Postgres does not answer at ${withoutPassword(url)}: is it running?`);
  } finally {
    await db.destroy();
  }
}

/** The secret that the gateways have: with another one they would not know the key. */
export function apiKeySecret({ env }: Surroundings): string {
  const { API_KEY_SECRET: secret } = env;
  if (secret) return checked(apiKeySecretSchema, secret, 'API_KEY_SECRET');
  throw new CommandFailure(
    "Set API_KEY_SECRET to the gateways' secret (for a new one: `openssl rand -base64 32`).",
  );
}
