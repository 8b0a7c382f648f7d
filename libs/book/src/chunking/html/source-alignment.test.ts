import { expect, it } from 'vitest';
import { alignWithSource } from './source-alignment.js';

/** The source of each UTF-16 unit of the text. */
const aligned = (text: string, source: string) =>
  alignWithSource(text, source, { start: 0, end: source.length })?.map(({ start, end }) =>
    source.slice(start, end),
  );

it.each([
  ['as it is', 'abc', 'abc', ['a', 'b', 'c']],
  ['from references', '<&é', '&lt;&amp;&#233;', ['&lt;', '&amp;', '&#233;']],
  ['from references without a semicolon', '©-', '&copy-', ['&copy', '-']],
  ['from a lone ampersand', 'a & b', 'a & b', ['a', ' ', '&', ' ', 'b']],
  ['from what only looks like a reference', '&nope;', '&nope;', Array.from({ length: 6 }, () => '&nope;')],
  ['from Windows and old line ends', 'a\nb\nc', 'a\r\nb\rc', ['a', '\r\n', 'b', '\r', 'c']],
  ['past stray tags', 'ab', 'a</i>b', ['a', 'b']],
  ['past the first line feed of `pre`', 'ab', '\nab', ['a', 'b']],
  ['from a reference to two units', '🤖', '&#x1F916;', ['&#x1F916;', '&#x1F916;']],
])('text is aligned with its source: %s', (_, text, source, units) => {
  expect(aligned(text, source)).toEqual(units);
});

it('text that is not in the source is not aligned', () => {
  expect(aligned('abc', 'xyz')).toBeUndefined();
});
