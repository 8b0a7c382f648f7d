import { expect, it } from 'vitest';
import { pageOf } from '../../test/page-of.js';
import { fileTitle, moduleOf, pageUrl } from './page-url.js';

const BASE = 'https://book.example/docs';

it.each([
  ['ros2/quality-of-service.md', {}, '/ros2/quality-of-service'],
  ['intro.md', {}, '/intro'],
  ['index.md', {}, '/'],
  ['ros2/index.mdx', {}, '/ros2/'],
  ['ros2/README.md', {}, '/ros2/'],
  ['gazebo/gazebo.md', {}, '/gazebo/'],
  ['gazebo/Gazebo.mdx', {}, '/gazebo/'],
  ['02-ros2/03-topics.md', {}, '/ros2/topics'],
  ['02-ros2/02-ros2.md', {}, '/ros2/'],
  ['2024-11-notes.md', {}, '/2024-11-notes'],
  ['7.0-release.md', {}, '/7.0-release'],
  ['ros2/what is it?.md', {}, '/ros2/what%20is%20it%3F'],
  ['ros2/c#/100%.md', {}, '/ros2/c%23/100%25'],
  ['ros2/über.md', {}, '/ros2/%C3%BCber'],
  ['ros2/\uD800.md', {}, '/ros2/%EF%BF%BD'],
  ['intro/what-is-physical-ai.md', { slug: '/' }, '/'],
  ['vla/capstone.md', { slug: '/capstone' }, '/capstone'],
  ['vla/capstone.md', { slug: 'final' }, '/vla/final'],
  ['vla/capstone.md', { slug: '../final' }, '/final'],
  ['vla/capstone.md', { slug: 'c#?' }, '/vla/c%23%3F'],
  ['vla/capstone.md', { id: 'last' }, '/vla/last'],
  ['vla/index.md', { slug: 'start' }, '/vla/start'],
])('Docusaurus serves %s %j at %s', (path, frontMatter, route) => {
  expect(pageUrl(pageOf('', { path }), frontMatter)).toBe(BASE + route);
});

it.each([
  ['https://book.example/', 'a/b.md', 'https://book.example/a/b'],
  ['https://book.example', 'index.md', 'https://book.example/'],
  ['https://book.example/docs/', 'a.md', 'https://book.example/docs/a'],
  ['https://book.example/docs?v=1#x', 'a.md', 'https://book.example/docs/a'],
])('Docusaurus serves below %s: %s', (base_url, path, url) => {
  expect(pageUrl(pageOf('', { base_url, path }))).toBe(url);
});

it('Docusaurus serves translated pages below their language', () => {
  const path = 'i18n/de/docusaurus-plugin-content-docs/current/02-ros2/03-topics.md';
  expect(pageUrl(pageOf('', { path }))).toBe('https://book.example/de/docs/ros2/topics');
  expect(moduleOf(pageOf('', { path }))).toBe('ros2');
});

it.each([
  ['https://org.github.io/proj/docs', 'https://org.github.io/proj/de/docs/intro'],
  ['https://docs.example/docs', 'https://docs.example/de/docs/intro'],
  ['https://book.example/proj', 'https://book.example/proj/de/intro'],
  ['https://book.example', 'https://book.example/de/intro'],
])("Docusaurus serves translations below %s, at the site's own path", (base_url, url) => {
  const path = 'i18n/de/docusaurus-plugin-content-docs/current/intro.md';
  expect(pageUrl(pageOf('', { path, base_url }))).toBe(url);
});

it.each([
  ['ch01-02.md', '/ch01-02.html'],
  ['01-intro/03-the book.md', '/01-intro/03-the%20book.html'],
  ['README.md', '/index.html'],
  ['guide/readme.md', '/guide/index.html'],
  ['guide/index.md', '/guide/index.html'],
  ['guide/index.html', '/guide/index.html'],
])('mdBook serves %s at %s, whatever its slug', (path, route) => {
  const format = path.endsWith('html') ? 'html' : 'markdown';
  expect(pageUrl(pageOf('', { path, format, layout: 'mdbook' }), { slug: '/x', id: 'y' })).toBe(BASE + route);
});

it.each([
  ['01-first/02-page.md', {}, '/01-first/02-page'],
  ['01-first/index.mdx', {}, '/01-first/'],
  ['a/b.md', { slug: '/c' }, '/c'],
  ['a/b.md', { id: 'c' }, '/a/c'],
])('a plain folder serves %s %j at %s', (path, frontMatter, route) => {
  expect(pageUrl(pageOf('', { path, layout: 'plain' }), frontMatter)).toBe(BASE + route);
});

it.each([
  ['a/page.html', '/a/page.html'],
  ['a/index.html', '/a/'],
  ['index.html', '/'],
])('a plain folder serves %s at %s', (path, route) => {
  expect(pageUrl(pageOf('', { path, format: 'html', layout: 'plain' }))).toBe(BASE + route);
});

it.each([
  ['https://site.example/page#part', 'https://site.example/page'],
  ['https://site.example/page#', 'https://site.example/page'],
  ['https://site.example/page?a=1', 'https://site.example/page?a=1'],
])('a page that was found at %s keeps its address without hash', (url, expected) => {
  expect(pageUrl(pageOf('', { url }), { slug: '/other' })).toBe(expected);
});

it.each([
  ['ros2/advanced/qos.md', {}, 'ros2'],
  ['02-ros2/qos.md', {}, 'ros2'],
  ['qos.md', {}, ''],
  ['02-ros2/qos.md', { layout: 'mdbook' }, '02-ros2'],
  ['02-ros2/qos.md', { module: 'The middle' }, 'The middle'],
] as const)('the module of %s %j is %j', (path, over, module) => {
  expect(moduleOf(pageOf('', { path, ...over }))).toBe(module);
});

it.each([
  ['https://book.example/docs/ros2/qos', 'ros2'],
  ['https://book.example/docs/ros2/', 'ros2'],
  ['https://book.example/docs/qos', ''],
  ['https://book.example/docs', ''],
])('the module of a page that was found at %s is %j', (url, module) => {
  expect(moduleOf(pageOf('', { path: new URL(url).pathname.slice(1), layout: 'plain', url }))).toBe(module);
});

it.each([
  ['https://book.example/docs/guide/', 'guide'],
  ['https://book.example/docs/guide/start.html?v=2', 'start'],
  ['https://book.example/', 'book.example'],
])('the title of an untitled page found at %s is %s', (url, title) => {
  expect(fileTitle(pageOf('', { path: 'index', layout: 'plain', url }))).toBe(title);
});

it.each([
  ['a/02-topics.md', 'docusaurus', 'topics'],
  ['a/02-topics.mdx', 'plain', '02-topics'],
  ['a/topics.html', 'plain', 'topics'],
] as const)('without any title %s (%s) is called %s', (path, layout, title) => {
  expect(fileTitle(pageOf('', { path, layout }))).toBe(title);
});
