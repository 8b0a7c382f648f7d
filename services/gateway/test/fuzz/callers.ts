import { makeApiKey } from '@quire/shared/api-keys';
import { revokeApiKey, type Database } from '@quire/shared/database';
import fc from 'fast-check';
import { createKey } from '../api-keys-for-test.js';
import { headerText } from './json-mutations.js';

export const KEY_TENANT = 'acme';

/** A caller's headers with placeholders for the keys, which are made when the test runs. */
export type Credentials = Record<string, string>;

export const noCredentials: fc.Arbitrary<Credentials> = fc.constant({});

const keyName = fc.oneof(
  { arbitrary: fc.constant('{valid}'), weight: 14 },
  { arbitrary: fc.constant('{limited}'), weight: 3 },
  { arbitrary: fc.constantFrom('{wrong}', '{revoked}', '{admin}'), weight: 2 },
);

/** Mostly a valid key; also invalid keys and malformed headers. */
export const anyCredentials: fc.Arbitrary<Credentials> = fc.oneof(
  { arbitrary: keyName.map((key) => ({ authorization: `Bearer ${key}` })), weight: 10 },
  { arbitrary: keyName.map((key) => ({ 'x-api-key': key })), weight: 8 },
  fc.tuple(keyName, headerText).map(([key, text]) => ({ authorization: text, 'x-api-key': key })),
  fc.tuple(keyName, headerText).map(([key, text]) => ({ authorization: `Bearer ${key}`, 'x-api-key': text })),
  fc
    .tuple(
      fc.constantFrom(
        'bearer  {valid} ',
        'Bearer {valid}{valid}',
        'Bearer {valid} x',
        'Bearer',
        'Basic {valid}',
      ),
      fc.constantFrom('', 'Bearer '),
    )
    .map(([text, before]) => ({ authorization: before + text })),
  headerText.map((text) => ({ authorization: `Bearer ${text}` })),
  headerText.map((text) => ({ 'x-api-key': text })),
  noCredentials,
);

/** Creates the keys; returns a function that fills in their placeholders. */
export async function createKeys(db: Database): Promise<(credentials: Credentials) => Credentials> {
  const tenant = KEY_TENANT;
  const revoked = await createKey(db, { tenant });
  await revokeApiKey(db, revoked.prefix);
  const keys: Record<string, string> = {
    valid: (await createKey(db, { tenant, ratePerMinute: 1_000_000, maxConcurrent: 1000 })).key,
    limited: (await createKey(db, { tenant, ratePerMinute: 20, maxConcurrent: 1 })).key,
    admin: (await createKey(db, { tenant, scopes: ['admin'] })).key,
    wrong: makeApiKey().key,
    revoked: revoked.key,
  };
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => keys[name] ?? whole);
  return (credentials) =>
    Object.fromEntries(Object.entries(credentials).map(([name, text]) => [name, fill(text)]));
}
