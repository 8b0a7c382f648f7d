import { expect, it } from 'vitest';
import { presentedKey } from './presented-key.js';

it.each<[title: string, headers: Record<string, string>, key: string | undefined]>([
  ['none', {}, undefined],
  ['a Bearer token', { authorization: 'Bearer one' }, 'one'],
  ['a Bearer token, however it is spelt', { authorization: 'bearer  one ' }, 'one'],
  ['X-API-Key', { 'x-api-key': 'two' }, 'two'],
  ['the Bearer token of both', { authorization: 'Bearer one', 'x-api-key': 'two' }, 'one'],
  ['X-API-Key beside another scheme', { authorization: 'Basic b25l', 'x-api-key': 'two' }, 'two'],
  ['none in a Bearer token of two words', { authorization: 'Bearer one two' }, undefined],
])('%s', (_, headers, key) => {
  const get = ((name: string) => headers[name]) as Parameters<typeof presentedKey>[0]['get'];
  expect(presentedKey({ get })).toBe(key);
});
