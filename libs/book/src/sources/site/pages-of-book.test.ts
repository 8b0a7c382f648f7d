import { expect, it } from 'vitest';
import { pagesOfBook } from './pages-of-book.js';
import { readRobotRules } from './robot-rules.js';

const base = new URL('https://h.example/docs');
const robots = readRobotRules(
  new URL('https://h.example/robots.txt'),
  'User-agent: *\nDisallow: /docs/private',
);
const choose = (...addresses: string[]) => {
  const listed = addresses.map((address) => new URL(address));
  const { urls, leftOut } = pagesOfBook(listed, base, robots);
  return { urls: urls.map(({ href }) => href), leftOut };
};

it('the pages of a sitemap are sorted and unique: hash and http make no difference, a query does', () => {
  const { urls } = choose(
    'http://h.example/docs/b#x',
    'http://h.example/docs/b',
    'https://h.example/docs/b',
    'https://h.example/docs/a?v=1',
    'https://h.example/docs/a',
  );
  expect(urls).toEqual([
    'https://h.example/docs/a',
    'https://h.example/docs/a?v=1',
    'https://h.example/docs/b',
  ]);
});

it.each([
  ['https://other.example/docs/a', 'https://other.example/docs/a', 'other host'],
  ['https://h.example/blog/a', 'blog/a', 'outside the book'],
  ['ftp://h.example/docs/a', 'docs/a', 'outside the book'],
  ['https://me@h.example/docs/a', 'docs/a', 'outside the book'],
  ['https://me:pw@h.example/docs/a', 'docs/a', 'outside the book'],
  ['https://h.example/docs/private/a', 'docs/private/a', 'disallowed by robots.txt'],
  ['https://h.example/docs/a.PDF', 'docs/a.PDF', 'not HTML'],
])('the sitemap entry %s is left out', (address, path, reason) => {
  expect(choose(address, address)).toEqual({ urls: [], leftOut: [{ path, reason }] });
});
