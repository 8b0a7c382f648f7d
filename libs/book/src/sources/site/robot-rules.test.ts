import { expect, it } from 'vitest';
import { readRobotRules } from './robot-rules.js';

const address = new URL('https://h.example/robots.txt');
const allows = (text: string, path: string) => readRobotRules(address, text).allows(new URL(path, address));

it('robots.txt without rules allows everything', () => {
  expect(allows('', '/a')).toBe(true);
});

it('robots.txt rules for Quire win over those for all robots', () => {
  const text = 'User-agent: *\nDisallow: /\n\nUser-agent: quire\nDisallow: /private/';
  expect(allows(text, '/a')).toBe(true);
  expect(allows(text, '/private/a')).toBe(false);
});

it('robots.txt rules for all robots apply to Quire, those for other robots do not', () => {
  expect(allows('User-agent: *\nDisallow: /a$', '/a')).toBe(false);
  expect(allows('User-agent: GPTBot\nDisallow: /', '/a')).toBe(true);
});

it('robots.txt rules apply to http and https alike', () => {
  expect(allows('User-agent: *\nDisallow: /a', 'http://h.example/a')).toBe(false);
});

it.each([
  ['', 0],
  ['Crawl-delay: 0.5', 500],
  ['Crawl-delay: 3600', 10_000],
  ['Crawl-delay: -1', 0],
  ['Crawl-delay: soon', 0],
])('robots.txt %j sets a delay of %d ms', (line, delayMs) => {
  expect(readRobotRules(address, `User-agent: *\n${line}\nDisallow:`).delayMs).toBe(delayMs);
});

it('robots.txt names sitemaps', () => {
  const { sitemaps } = readRobotRules(
    address,
    'Sitemap: https://h.example/a.xml\nSitemap: /b.xml\nSitemap: http://',
  );
  expect(sitemaps.map(({ href }) => href)).toEqual(['https://h.example/a.xml', 'https://h.example/b.xml']);
});
