import { describe, expect, test } from 'vitest';
import { cutSpan } from './spans.js';

const cut = (source: string, limit: number, kind: 'prose' | 'line') =>
  cutSpan(source, { start: 0, end: source.length }, limit, kind).map(({ start, end }) =>
    source.slice(start, end),
  );

describe('a long text is cut', () => {
  test.each([
    ['after a sentence', 'One two. Three four. Five', 'prose', 14, ['One two.', 'Three four.', 'Five']],
    ['after a sentence that ends right at the limit', 'One two. Three.', 'prose', 8, ['One two.', 'Three.']],
    [
      'between words when a sentence is too long',
      'One two three four',
      'prose',
      9,
      ['One two', 'three', 'four'],
    ],
    ['between lines of code', 'a = 1\nb = 2\nc = 3', 'line', 12, ['a = 1\nb = 2', 'c = 3']],
    ['anywhere when there is no boundary', 'abcdefgh', 'prose', 3, ['abc', 'def', 'gh']],
    ['but never within a character', 'ab🤖cd', 'prose', 3, ['ab', '🤖c', 'd']],
    ['and not at all when it fits', ' One two. ', 'prose', 20, ['One two.']],
  ] as const)('%s', (_, source, kind, limit, parts) => {
    expect(cut(source, limit, kind)).toEqual(parts);
  });
});

test('a blank span has no parts', () => {
  expect(cut(' \n ', 10, 'prose')).toEqual([]);
});
