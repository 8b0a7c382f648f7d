import { describe, expect, test } from 'vitest';
import { moduleOf, pageUrl } from './page-url.js';

describe('a page lives where Docusaurus serves it', () => {
  test.each([
    ['ros2/quality-of-service.md', {}, '/ros2/quality-of-service'],
    ['intro.md', {}, '/intro'],
    ['index.md', {}, '/'],
    ['ros2/index.mdx', {}, '/ros2/'],
    ['ros2/README.md', {}, '/ros2/'],
    ['gazebo/gazebo.md', {}, '/gazebo/'],
    ['02-ros2/03-topics.md', {}, '/ros2/topics'],
    ['2024-11-notes.md', {}, '/2024-11-notes'],
    ['7.0-release.md', {}, '/7.0-release'],
    ['ros2/what is it?.md', {}, '/ros2/what%20is%20it%3F'],
    ['intro/what-is-physical-ai.md', { slug: '/' }, '/'],
    ['vla/capstone.md', { slug: '/capstone' }, '/capstone'],
    ['vla/capstone.md', { slug: 'final' }, '/vla/final'],
    ['vla/capstone.md', { slug: '../final' }, '/final'],
    ['vla/capstone.md', { id: 'last' }, '/vla/last'],
  ])('%s %j', (path, frontMatter, route) => {
    expect(pageUrl({ baseUrl: 'https://book.example/docs', path, ...frontMatter })).toBe(
      `https://book.example/docs${route}`,
    );
  });

  test('a base URL may end in a slash or have no path', () => {
    expect(pageUrl({ baseUrl: 'https://book.example/', path: 'a/b.md' })).toBe('https://book.example/a/b');
  });
});

test.each([
  ['ros2/advanced/qos.md', 'ros2'],
  ['02-ros2/qos.md', 'ros2'],
  ['qos.md', ''],
])('the module of %s is its first folder', (path, module) => {
  expect(moduleOf(path)).toBe(module);
});
