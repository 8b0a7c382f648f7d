import { expect, it } from 'vitest';
import { UnusableSource } from '../source-errors.js';
import { outsideReason, siteAddress, sitePath } from './site-address.js';

it.each([
  ['https://h.example', 'https://h.example/'],
  ['https://h.example/docs/', 'https://h.example/docs'],
  ['https://h.example/docs?x#y', 'https://h.example/docs'],
  ['https://h.example/docs/index.html', 'https://h.example/docs'],
  ['https://h.example/v1.2', 'https://h.example/v1.2'],
])('the site address %s is a book at %s', (given, base) => {
  expect(siteAddress(given, undefined)).toEqual({ base: new URL(base), sitemap: undefined });
});

it.each([
  ['https://h.example/sitemap.xml', 'https://h.example/'],
  ['https://h.example/docs/sitemap_index.xml.gz?v=1', 'https://h.example/docs'],
])('the address of a site may be that of its sitemap: %s', (given, base) => {
  expect(siteAddress(given, undefined)).toEqual({ base: new URL(base), sitemap: new URL(given) });
});

it('the base URL of a site defines which part of it is the book', () => {
  const { base } = siteAddress('https://h.example/sitemap.xml', 'https://h.example/docs/');
  expect(base.href).toBe('https://h.example/docs');
});

it.each([
  ['ftp://h.example/', undefined],
  ['https://me:pw@h.example/', undefined],
  ['https://h.example/', 'https://other.example/'],
])('the site address %s with base URL %s is refused', (given, baseUrl) => {
  expect(() => siteAddress(given, baseUrl)).toThrow(UnusableSource);
});

it.each([
  ['https://h.example/docs', undefined],
  ['https://h.example/docs/', undefined],
  ['https://h.example/docs/a/b?c', undefined],
  ['http://h.example/docs/a', undefined],
  ['https://h.example/docs-old/a', 'outside the book'],
  ['https://h.example/', 'outside the book'],
  ['https://h.example/docs/../a', 'outside the book'],
  ['https://h.example:8443/docs/a', 'other host'],
  ['https://www.h.example/docs/a', 'other host'],
])('a page %s of the book at h.example/docs is left out: %s', (address, reason) => {
  expect(outsideReason(new URL(address), new URL('https://h.example/docs'))).toBe(reason);
});

it.each([
  ['https://h.example/', 'index'],
  ['https://h.example/docs/a/', 'docs/a/'],
  ['https://h.example/a?page=2', 'a?page=2'],
])('the page at %s has the path %s', (address, path) => {
  expect(sitePath(new URL(address))).toBe(path);
});
