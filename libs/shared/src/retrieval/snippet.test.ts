import { expect, it } from 'vitest';
import { snippet } from './snippet.js';

it.each([
  ['short text stays', 'short text stays'],
  ['  lines\n\nand   blanks fold ', 'lines and blanks fold'],
])('the snippet of %j is %j', (text, expected) => expect(snippet(text)).toBe(expected));

it.each([
  ['word '.repeat(100), /word…$/],
  ['x'.repeat(300), /^x{199}…$/],
  ['😀'.repeat(150), /^(😀)+…$/u],
])('a long text is cut at a word within 200 characters', (text, shape) => {
  const cut = snippet(text);
  expect(cut.length).toBeLessThanOrEqual(200);
  expect(cut).toMatch(shape);
});
