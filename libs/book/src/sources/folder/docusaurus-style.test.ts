import { expect, it } from 'vitest';
import { isDocusaurusFrontMatter } from './docusaurus-style.js';

it.each([
  '---\nslug: /start\n---\n# Page',
  '---\r\ntitle: A\r\nsidebar_position: 2\r\n---\r\n',
  '\uFEFF---\nslug: a\n---',
])('the front matter %j is that of Docusaurus', (head) => {
  expect(isDocusaurusFrontMatter(head)).toBe(true);
});

it.each([
  '# Page',
  '---\ntitle: A\n---\n',
  '---\n---\n',
  '---\njust text: [\n---\n',
  '---\nslug\n---\n',
  'slug: /start',
  '---\ntitle: A\n---\nslug: b\n---\n',
  '# Page\n---\nslug: a\n---\n',
])('the front matter %j does not show a generator', (head) => {
  expect(isDocusaurusFrontMatter(head)).toBe(false);
});
