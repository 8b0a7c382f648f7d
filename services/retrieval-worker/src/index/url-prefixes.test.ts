import { expect, it } from 'vitest';
import { normalisedPrefix, urlPrefixes } from './url-prefixes.js';

const page = 'https://book.example/docs/ros2/quality-of-service';

it('a page has a prefix for each path segment, with and without the origin', () => {
  expect(urlPrefixes(page)).toEqual([
    'https://book.example',
    'https://book.example/docs',
    'https://book.example/docs/ros2',
    page,
    '/',
    '/docs',
    '/docs/ros2',
    '/docs/ros2/quality-of-service',
  ]);
});

it.each([
  'https://book.example',
  'https://book.example/',
  'HTTPS://Book.example/docs',
  'https://book.example/docs/ros2/',
  'https://book.example/docs/ros2#compatibility',
  page,
  '/',
  '/docs/ros2',
  '/docs/ros2/',
  'docs/ros2',
])('the prefix %s finds the pages below it', (prefix) => {
  expect(urlPrefixes(page)).toContain(normalisedPrefix(prefix));
});

it.each([
  'https://book.example/docs/ros',
  'https://book.example/do',
  'http://book.example/docs',
  'https://other.example/docs',
  '/ros2',
  '//',
  'http://',
])('the prefix %s, which is no parent of the page, does not find it', (prefix) => {
  expect(urlPrefixes(page)).not.toContain(normalisedPrefix(prefix));
});

it('a page with a trailing slash is found under its folder', () => {
  expect(urlPrefixes('https://book.example/docs/ros2/')).toContain(
    normalisedPrefix('https://book.example/docs/ros2'),
  );
});
