import { expect, it } from 'vitest';
import { drawnRows } from './drawn-rows.js';

it.each([
  ['', 1],
  ['one line', 1],
  ['ten chars!', 1],
  ['ten chars!+', 2],
  ['x'.repeat(30), 3],
  ['a\nb\n', 3],
  ['ten chars!\nb', 2],
  ['古古古古古', 1],
  ['古古古古x古', 2],
  ['\u{1F916}\u{1F916}\u{1F916}\u{1F916}\u{1F916}\u{1F916}', 2],
  ['e\u0301'.repeat(10), 1],
  ['a\tb\tc', 1],
])('%j fills %i lines of ten columns', (text, rows) => {
  expect(drawnRows(text, 10)).toBe(rows);
});
