import { hashApiKey, makeApiKey } from '@quire/shared/api-keys';
import { insertApiKey, type ApiKey, type ApiKeyRights, type Database } from '@quire/shared/database';

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
  const apiKey = await insertApiKey(db, whole, { prefix, hash: hashApiKey(key, TEST_SECRET) });
  return { ...apiKey, key, header: { authorization: `Bearer ${key}` } };
}
