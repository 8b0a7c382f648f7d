import { InvalidInput } from '@quire/shared/errors';
import { expect, it } from 'vitest';
import { chunkPage } from '../src/chunking/index.js';
import { pageOf } from './page-of.js';

const section = (index: number) => `## Section ${index}

Some words with \`code\`, a [link](https://x.example/y) and *emphasis* in a sentence. More **words** follow here,
to make a paragraph as real pages have it, with ros2:humble in the middle of section ${index}.

- item one
- item two
  - nested item

:::note Mind the gap

Text in an admonition.

:::

\`\`\`js
const a = ${index};
\`\`\`

| a | b |
|---|---|
| ${index} | two |

`;

it('a page of half a megabyte is read, with a chunk for each section', () => {
  const count = 1400;
  const text = `# Large\n\n${Array.from({ length: count }, (_, index) => section(index)).join('')}`;
  expect(text.length).toBeGreaterThan(500_000);
  const { chunks } = chunkPage(pageOf(text));
  expect(chunks).toHaveLength(count);
  expect(chunks.at(-1)?.section).toBe(`Section ${count - 1}`);
});

it('an HTML page of half a megabyte is read', () => {
  const part = (index: number) =>
    `<h2 id="s${index}">Section ${index}</h2><p>Words &amp; <b>more</b> words.</p>\n`;
  const text = `<main><h1>Large</h1>${Array.from({ length: 8000 }, (_, index) => part(index)).join('')}</main>`;
  expect(text.length).toBeGreaterThan(500_000);
  expect(chunkPage(pageOf(text, { format: 'html' })).chunks).toHaveLength(8000);
});

it.each([
  ['list markers', 'markdown', `${'- '.repeat(10_000)}a`, /nested too deeply \(line 1:\d+\)/],
  ['quote markers', 'markdown', `${'>'.repeat(10_000)} a`, /nested too deeply \(line 1:\d+\)/],
  ['indented lists', 'markdown', deepList(700), /nested too deeply \(line \d+:\d+\)/],
  ['twenty-level lists all over', 'markdown', deepList(20).repeat(500), /too many lists/],
  ['brackets', 'markdown', '['.repeat(10_000) + ']'.repeat(10_000), /too many .* in one paragraph/],
  ['stars in one run', 'markdown', `${'*'.repeat(10_000)}a${'*'.repeat(10_000)}`, /too many/],
  ['stars and underscores', 'markdown', '_a*'.repeat(10_000), /too many/],
  ['tildes', 'markdown', '~a'.repeat(10_000), /too many/],
  ['components', 'mdx', `${'<A>'.repeat(10_000)}x${'</A>'.repeat(10_000)}`, /nested too deeply/],
  ['raw HTML', 'markdown', `${'<div>'.repeat(10_000)}one two three four`, /nested too deeply/],
  ['elements', 'html', `${'<div>'.repeat(10_000)}one two three four`, /nested too deeply/],
] as const)('a page with thousands of %s is refused', (_, format, text, reason) => {
  const chunk = () => chunkPage(pageOf(text, { format }));
  expect(chunk).toThrow(InvalidInput);
  expect(chunk).toThrow(reason);
});

it.each([
  ['angle brackets', 'markdown', '<'.repeat(10_000)],
  ['open directives', 'markdown', ':::note\n'.repeat(10_000)],
  ['open folds', 'markdown', '<details>\n\n'.repeat(3000)],
  ['ampersands', 'html', '&'.repeat(10_000)],
  ['unclosed paragraphs', 'html', '<p>a '.repeat(3000)],
  ['nested tables', 'html', '<table>x'.repeat(3000)],
] as const)('a page with thousands of %s is read', (_, format, text) => {
  const words = ' one two three four';
  const { chunks } = chunkPage(pageOf(text + words, { format }));
  expect(chunks.map((chunk) => chunk.text).join(' ')).toContain('four');
});

it('a word of half a megabyte is cut at twice the target at most', () => {
  const { chunks } = chunkPage(pageOf(`One two three four. ${'x'.repeat(500_000)}`));
  expect(Math.max(...chunks.map(({ text }) => text.length))).toBeLessThanOrEqual(2400);
  expect(chunks.map(({ text }) => text).join('')).toHaveLength(500_019);
});

function deepList(levels: number): string {
  return Array.from({ length: levels }, (_, level) => `${' '.repeat(2 * level)}- a\n`).join('');
}
