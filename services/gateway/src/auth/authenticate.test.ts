import { expect, it } from 'vitest';
import { presentedKey } from './authenticate.js';

it.each<[title: string, headers: Record<string, string>, key: string | undefined]>([
  ['no key without headers', {}, undefined],
  ['a Bearer token', { authorization: 'Bearer one' }, 'one'],
  ['a Bearer token in any case, with extra spaces', { authorization: 'bearer  one ' }, 'one'],
  ['X-API-Key', { 'x-api-key': 'two' }, 'two'],
  ['the Bearer token if both are sent', { authorization: 'Bearer one', 'x-api-key': 'two' }, 'one'],
  ['X-API-Key beside another scheme', { authorization: 'Basic b25l', 'x-api-key': 'two' }, 'two'],
  ['no key in a Bearer token of two words', { authorization: 'Bearer one two' }, undefined],
])('presentedKey() returns %s', (_, headers, key) => {
  const get = ((name: string) => headers[name]) as Parameters<typeof presentedKey>[0]['get'];
  expect(presentedKey({ get })).toBe(key);
});
