import { createTestDatabase } from '@quire/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isStorableJson } from './storable-text.js';

let client: pg.Client;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await drop();
});

const stores = (value: unknown): Promise<boolean> =>
  client.query('SELECT $1::jsonb', [JSON.stringify(value)]).then(
    () => true,
    () => false,
  );

it.each<[unknown]>([
  ['plain'],
  ['\u0001\u001f\u007f\u2028\ufeff\uffff'],
  ['\u{1F916} a whole pair'],
  ['a NUL \u0000'],
  ['a high surrogate \ud83d'],
  ['a low surrogate \ude00'],
  ['two in the wrong order \ude00\ud83d'],
  [{ 'key \u0000': 1 }],
  [{ 'key \ud83d': 1 }],
  [{ list: [{ deep: '\u0000' }] }],
  [{ list: [{ deep: '\u{1F916}' }], number: 1.5, none: null, yes: true }],
])('JSON is accepted if and only if Postgres can store it (%#)', async (value) => {
  expect(isStorableJson(value)).toBe(await stores(value));
});
