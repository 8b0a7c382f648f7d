import { expect, test } from 'vitest';
import { isDocusaurusFrontMatter } from './docusaurus-style.js';

test.each([
  '---\nslug: /start\n---\n# Page',
  '---\r\ntitle: A\r\nsidebar_position: 2\r\n---\r\n',
  '\uFEFF---\nslug: a\n---',
])('Docusaurus reads %j', (head) => {
  expect(isDocusaurusFrontMatter(head)).toBe(true);
});

test.each([
  '# Page',
  '---\ntitle: A\n---\n',
  '---\n---\n',
  '---\njust text: [\n---\n',
  '---\nslug\n---\n',
  'slug: /start',
  '---\ntitle: A\n---\nslug: b\n---\n',
  '# Page\n---\nslug: a\n---\n',
])('anybody could have written %j', (head) => {
  expect(isDocusaurusFrontMatter(head)).toBe(false);
});
