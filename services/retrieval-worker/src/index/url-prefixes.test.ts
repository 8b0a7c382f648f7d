import { describe, expect, test } from 'vitest';
import { normalisedPrefix, urlPrefixes } from './url-prefixes.js';

const page = 'https://book.example/docs/ros2/quality-of-service';

test('a page has a prefix for each path segment, with and without the origin', () => {
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

describe('a prefix finds the pages below it', () => {
  test.each([
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
  ])('%s', (prefix) => {
    expect(urlPrefixes(page)).toContain(normalisedPrefix(prefix));
  });
});

describe('a prefix that ends within a segment, or names another place, finds nothing', () => {
  test.each([
    'https://book.example/docs/ros',
    'https://book.example/do',
    'http://book.example/docs',
    'https://other.example/docs',
    '/ros2',
    '//',
    'http://',
  ])('%s', (prefix) => {
    expect(urlPrefixes(page)).not.toContain(normalisedPrefix(prefix));
  });
});

test('a page with a trailing slash is found under its folder', () => {
  expect(urlPrefixes('https://book.example/docs/ros2/')).toContain(
    normalisedPrefix('https://book.example/docs/ros2'),
  );
});
