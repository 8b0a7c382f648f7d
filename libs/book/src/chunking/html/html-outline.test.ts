import { expect, it } from 'vitest';
import { pageOf } from '../../../test/page-of.js';
import { chunkPage } from '../index.js';

const chunksOf = (text: string) => chunkPage(pageOf(text, { format: 'html' })).chunks;

it('code whose lines end in `br`, as Docusaurus renders it, is cut between lines', () => {
  const lines = Array.from({ length: 200 }, (_, index) => `  value_${index} = ${index};`);
  const code = lines.map((line) => `<span class="token-line">${line}<br></span>`).join('');
  const chunks = chunksOf(`<main><pre><code>${code}</code></pre></main>`);
  expect(chunks.length).toBeGreaterThan(2);
  expect(chunks.flatMap(({ text }) => text.split('\n'))).toEqual(lines);
});

it('misplaced elements that the parser moves stay in one chunk with their surroundings', () => {
  const source = '<table><tr><td>cell one two</td></tr>loose words</table><p>The words after it.</p>';
  const [first, ...rest] = chunksOf(source);
  expect(first?.text).toBe('loose words\n\ncell one two\n\nThe words after it.');
  expect(rest).toEqual([]);
  expect(source.slice(first?.char_start, first?.char_end)).toBe(source);
});
