import { expect, it } from 'vitest';
import { hashApiKey, isSameHash, makeApiKey, prefixOf, visiblePrefix } from './api-key.js';

const SECRET = 's'.repeat(32);

it('a new key begins with its prefix, and differs from every other key', () => {
  const keys = Array.from({ length: 200 }, makeApiKey);
  for (const { key, prefix } of keys) {
    expect(prefixOf(key)).toBe(prefix);
    expect(key.startsWith(`${prefix}_`)).toBe(true);
  }
  expect(new Set(keys.map(({ key }) => key)).size).toBe(200);
  expect(new Set(keys.map(({ prefix }) => prefix)).size).toBe(200);
});

it.each(['', 'qk_', 'secret', `qk_${'a'.repeat(12)}`, `qk_${'A'.repeat(12)}_${'x'.repeat(43)}`])(
  '%j is not an API key',
  (text) => expect(prefixOf(text)).toBeUndefined(),
);

it.each([
  ['a prefix', 'qk_0a1b2c3d4e5f'],
  ['a whole key', `qk_0a1b2c3d4e5f_${'x'.repeat(43)}`],
  ['a key that was cut off', ' qk_0a1b2c3d4e5f_abc\n'],
])('the visible prefix of %s is that of the key', (_, text) =>
  expect(visiblePrefix(text)).toBe('qk_0a1b2c3d4e5f'),
);

it.each(['', 'qk_0a1b2c3d4e5', 'qk_0a1b2c3d4e5f0', 'x qk_0a1b2c3d4e5f'])('%j has no visible prefix', (text) =>
  expect(visiblePrefix(text)).toBeUndefined(),
);

it("a hash depends on every character of the key and on the server's secret", () => {
  const { key } = makeApiKey();
  const hash = hashApiKey(key, SECRET);
  expect(isSameHash(hash, hashApiKey(key, SECRET))).toBe(true);
  expect(isSameHash(hash, hashApiKey(`${key.slice(0, -1)}~`, SECRET))).toBe(false);
  expect(isSameHash(hash, hashApiKey(key, `${SECRET}!`))).toBe(false);
  expect(isSameHash(hash, hash.subarray(1))).toBe(false);
  expect(hash.toString('latin1')).not.toContain(key.slice(-10));
});
