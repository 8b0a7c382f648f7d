import { hashApiKey, makeApiKey } from '@quire/shared/api-keys';
import {
  insertApiKey,
  rotateApiKey,
  type ApiKey,
  type ApiKeyRights,
  type Database,
} from '@quire/shared/database';

export const TEST_SECRET = 'a secret of the tests, long enough';

export interface KeyForTest extends ApiKey {
  key: string;
  /** As a caller sends it. */
  header: { authorization: string };
}

/** A key as `quire keys create` makes it. */
export async function createKey(db: Database, rights: Partial<ApiKeyRights> = {}): Promise<KeyForTest> {
  const { key, prefix } = makeApiKey();
  const whole: ApiKeyRights = {
    tenant: 'acme',
    name: 'test',
    scopes: ['chat'],
    ratePerMinute: null,
    maxConcurrent: null,
    expiresAt: null,
    ...rights,
  };
  return withSecret(await insertApiKey(db, whole, { prefix, hash: hashApiKey(key, TEST_SECRET) }), key);
}

/** As `quire keys rotate` does it, with a grace in which both keys are valid. */
export async function rotateKey(db: Database, { prefix: old }: KeyForTest): Promise<KeyForTest> {
  const { key, prefix } = makeApiKey();
  const stored = { prefix, hash: hashApiKey(key, TEST_SECRET) };
  const rotated = await rotateApiKey(db, old, stored, 3_600_000);
  if (!rotated) throw new Error(`${old} cannot be rotated`);
  return withSecret(rotated.made, key);
}

const withSecret = (apiKey: ApiKey, key: string): KeyForTest => ({
  ...apiKey,
  key,
  header: { authorization: `Bearer ${key}` },
});
