import { expect, it } from 'vitest';
import { normalBaseUrl, requiredBaseUrl } from './base-url.js';
import { UnusableSource } from './source-errors.js';

it.each([
  ['https://book.example', 'https://book.example'],
  ['https://book.example/', 'https://book.example'],
  ['HTTPS://Book.Example:443/docs//', 'https://book.example/docs'],
  ['http://book.example:8080/a/b?x=1#y', 'http://book.example:8080/a/b'],
])('a base URL is normalized: %s', (given, normal) => {
  expect(normalBaseUrl(given)).toBe(normal);
});

it.each([
  'book.example/docs',
  '/docs',
  'ftp://book.example',
  'javascript:alert(1)',
  'https://me:pw@book.example',
])('%s is refused as a base URL', (given) => {
  expect(() => normalBaseUrl(given)).toThrow(UnusableSource);
});

it('a missing base URL is refused with advice', () => {
  expect(() => requiredBaseUrl(undefined)).toThrow(/Give the base URL, such as https:/);
});
