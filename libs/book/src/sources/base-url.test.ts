import { expect, test } from 'vitest';
import { normalBaseUrl, requiredBaseUrl } from './base-url.js';
import { UnusableSource } from './source-errors.js';

test.each([
  ['https://book.example', 'https://book.example'],
  ['https://book.example/', 'https://book.example'],
  ['HTTPS://Book.Example:443/docs//', 'https://book.example/docs'],
  ['http://book.example:8080/a/b?x=1#y', 'http://book.example:8080/a/b'],
])('a book is known by one spelling of its base URL: %s', (given, normal) => {
  expect(normalBaseUrl(given)).toBe(normal);
});

test.each([
  'book.example/docs',
  '/docs',
  'ftp://book.example',
  'javascript:alert(1)',
  'https://me:pw@book.example',
])('%s is no base URL', (given) => {
  expect(() => normalBaseUrl(given)).toThrow(UnusableSource);
});

test('a missing base URL is asked for', () => {
  expect(() => requiredBaseUrl(undefined)).toThrow(/Give the base URL, such as https:/);
});
