import { describe, expect, test } from 'vitest';
import { UnusableSource } from '../source-errors.js';
import { outsideReason, siteAddress, sitePath } from './site-address.js';

describe('the address of a site', () => {
  test.each([
    ['https://h.example', 'https://h.example/'],
    ['https://h.example/docs/', 'https://h.example/docs'],
    ['https://h.example/docs?x#y', 'https://h.example/docs'],
    ['https://h.example/docs/index.html', 'https://h.example/docs'],
    ['https://h.example/v1.2', 'https://h.example/v1.2'],
  ])('%s is a book at %s', (given, base) => {
    expect(siteAddress(given, undefined)).toEqual({ base: new URL(base), sitemap: undefined });
  });

  test.each([
    ['https://h.example/sitemap.xml', 'https://h.example/'],
    ['https://h.example/docs/sitemap_index.xml.gz?v=1', 'https://h.example/docs'],
  ])('may be that of its sitemap: %s', (given, base) => {
    expect(siteAddress(given, undefined)).toEqual({ base: new URL(base), sitemap: new URL(given) });
  });

  test('the base URL says which part of the site is the book', () => {
    const { base } = siteAddress('https://h.example/sitemap.xml', 'https://h.example/docs/');
    expect(base.href).toBe('https://h.example/docs');
  });

  test.each([
    ['ftp://h.example/', undefined],
    ['https://me:pw@h.example/', undefined],
    ['https://h.example/', 'https://other.example/'],
  ])('cannot be %s with base URL %s', (given, baseUrl) => {
    expect(() => siteAddress(given, baseUrl)).toThrow(UnusableSource);
  });
});

describe('a page', () => {
  test.each([
    ['https://h.example/docs', undefined],
    ['https://h.example/docs/', undefined],
    ['https://h.example/docs/a/b?c', undefined],
    ['http://h.example/docs/a', undefined],
    ['https://h.example/docs-old/a', 'outside the book'],
    ['https://h.example/', 'outside the book'],
    ['https://h.example/docs/../a', 'outside the book'],
    ['https://h.example:8443/docs/a', 'other host'],
    ['https://www.h.example/docs/a', 'other host'],
  ])('%s of the book at h.example/docs is left out: %s', (address, reason) => {
    expect(outsideReason(new URL(address), new URL('https://h.example/docs'))).toBe(reason);
  });

  test.each([
    ['https://h.example/', 'index'],
    ['https://h.example/docs/a/', 'docs/a/'],
    ['https://h.example/a?page=2', 'a?page=2'],
  ])('%s is called %s', (address, path) => {
    expect(sitePath(new URL(address))).toBe(path);
  });
});
