import { describe, expect, test } from 'vitest';
import { readRobotRules } from './robot-rules.js';

const address = new URL('https://h.example/robots.txt');
const allows = (text: string, path: string) => readRobotRules(address, text).allows(new URL(path, address));

describe('robots.txt', () => {
  test('without rules allows everything', () => {
    expect(allows('', '/a')).toBe(true);
  });

  test('rules for Quire come before those for everybody', () => {
    const text = 'User-agent: *\nDisallow: /\n\nUser-agent: quire\nDisallow: /private/';
    expect(allows(text, '/a')).toBe(true);
    expect(allows(text, '/private/a')).toBe(false);
  });

  test('rules for everybody are rules for Quire, for others not', () => {
    expect(allows('User-agent: *\nDisallow: /a$', '/a')).toBe(false);
    expect(allows('User-agent: GPTBot\nDisallow: /', '/a')).toBe(true);
  });

  test('rules hold for http and https alike', () => {
    expect(allows('User-agent: *\nDisallow: /a', 'http://h.example/a')).toBe(false);
  });

  test.each([
    ['', 0],
    ['Crawl-delay: 0.5', 500],
    ['Crawl-delay: 3600', 10_000],
    ['Crawl-delay: -1', 0],
    ['Crawl-delay: soon', 0],
  ])('%j makes requests wait %d ms', (line, delayMs) => {
    expect(readRobotRules(address, `User-agent: *\n${line}\nDisallow:`).delayMs).toBe(delayMs);
  });

  test('names sitemaps', () => {
    const { sitemaps } = readRobotRules(
      address,
      'Sitemap: https://h.example/a.xml\nSitemap: /b.xml\nSitemap: http://',
    );
    expect(sitemaps.map(({ href }) => href)).toEqual(['https://h.example/a.xml', 'https://h.example/b.xml']);
  });
});
