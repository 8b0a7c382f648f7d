import { randomUUID } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { ApiKeyScope } from '../api-keys/api-key.js';
import type { ApiKeyTable } from './api-key.table.js';
import type { Database } from './database.js';

export interface ApiKeyRights {
  tenant: string;
  name: string;
  scopes: ApiKeyScope[];
  /** Null means the gateway's default. */
  ratePerMinute: number | null;
  maxConcurrent: number | null;
  expiresAt: Date | null;
}

export interface ApiKey extends ApiKeyRights {
  id: string;
  /** The same for a key and all keys that it was rotated into. */
  callerId: string;
  prefix: string;
  revokedAt: Date | null;
  createdAt: Date;
}

export interface StoredSecret {
  prefix: string;
  hash: Buffer;
}

/** @param callerId of the key that it replaces; without it the key is a new caller's */
export async function insertApiKey(
  db: Database,
  rights: ApiKeyRights,
  { prefix, hash }: StoredSecret,
  callerId?: string,
): Promise<ApiKey> {
  const id = randomUUID();
  const row = await db
    .insertInto('api_keys')
    .values({
      id,
      caller_id: callerId ?? id,
      prefix,
      hash,
      tenant: rights.tenant,
      name: rights.name,
      scopes: rights.scopes,
      rate_per_minute: rights.ratePerMinute,
      max_concurrent: rights.maxConcurrent,
      expires_at: rights.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toApiKey(row);
}

/** The key with this prefix, and the hash that a presented key must match. */
export async function findApiKey(
  db: Database,
  prefix: string,
): Promise<{ apiKey: ApiKey; hash: Buffer } | undefined> {
  const row = await db.selectFrom('api_keys').selectAll().where('prefix', '=', prefix).executeTakeFirst();
  return row && { apiKey: toApiKey(row), hash: row.hash };
}

/** The keys of one tenant or of all, oldest first. */
export async function listApiKeys(db: Database, tenant?: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .$if(tenant !== undefined, (query) => query.where('tenant', '=', tenant as string))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toApiKey);
}

/** Undefined if there is no such key; a key that is already revoked keeps its time. */
export async function revokeApiKey(db: Database, prefix: string): Promise<ApiKey | undefined> {
  const row = await db
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', sql<Date>`now()`) }))
    .where('prefix', '=', prefix)
    .returningAll()
    .executeTakeFirst();
  return row && toApiKey(row);
}

/**
 * Makes a key with the caller and rights of another one, which expires after `graceMs` at the latest. Undefined if that
 * key does not exist or is not valid: rotation must not revive a revoked key.
 */
export async function rotateApiKey(
  db: Database,
  prefix: string,
  secret: StoredSecret,
  graceMs: number,
): Promise<{ made: ApiKey; old: ApiKey } | undefined> {
  return db.transaction().execute(async (transaction) => {
    const graceEnd = sql<Date>`now() + make_interval(secs => ${graceMs / 1000})`;
    const before = await transaction
      .selectFrom('api_keys')
      .selectAll()
      .where('prefix', '=', prefix)
      .where('revoked_at', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
      .forUpdate()
      .executeTakeFirst();
    if (!before) return undefined;
    const old = await transaction
      .updateTable('api_keys')
      .set((eb) => ({ expires_at: eb.fn<Date>('least', ['expires_at', graceEnd]) }))
      .where('prefix', '=', prefix)
      .returningAll()
      .executeTakeFirstOrThrow();
    const made = await insertApiKey(transaction, toApiKey(before), secret, before.caller_id);
    return { made, old: toApiKey(old) };
  });
}

/** Whether a key may be used at this moment. */
export function isValid({ expiresAt, revokedAt }: ApiKey, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > now);
}

function toApiKey(row: Selectable<ApiKeyTable>): ApiKey {
  return {
    id: row.id,
    callerId: row.caller_id,
    tenant: row.tenant,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    ratePerMinute: row.rate_per_minute,
    maxConcurrent: row.max_concurrent,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
  };
}
