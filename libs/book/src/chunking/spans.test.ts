import { expect, it } from 'vitest';
import { cutSpan, spansWithin, withoutHoles, type CutKind } from './spans.js';

const cut = (source: string, limit: number, kind: CutKind) =>
  cutSpan(source, { start: 0, end: source.length }, limit, kind).map(({ start, end }) =>
    source.slice(start, end),
  );

it.each([
  ['after a sentence', 'One two. Three four. Five', 'prose', 14, ['One two.', 'Three four.', 'Five']],
  ['after a sentence that ends right at the limit', 'One two. Three.', 'prose', 8, ['One two.', 'Three.']],
  ['after a quoted sentence', '“One two.” Three four', 'prose', 15, ['“One two.”', 'Three four']],
  ['after a sentence without spaces', '一二。三四！五', 'prose', 4, ['一二。', '三四！五']],
  [
    'between words when a sentence is too long',
    'One two three four',
    'prose',
    9,
    ['One two', 'three', 'four'],
  ],
  ['between lines of code', 'a = 1\nb = 2\nc = 3', 'code', 12, ['a = 1\nb = 2', 'c = 3']],
  ['between rows', '| a |\n  | b |', 'rows', 7, ['| a |', '| b |']],
  ['anywhere when there is no boundary', 'abcdefgh', 'prose', 3, ['abc', 'def', 'gh']],
  ['but never within a character', 'ab🤖cd', 'prose', 3, ['ab', '🤖c', 'd']],
  ['and not at all when it fits', ' One two. ', 'prose', 20, ['One two.']],
] as const)('%s', (_, source, kind, limit, parts) => {
  expect(cut(source, limit, kind)).toEqual(parts);
});

it('a line of code keeps its indentation when a long text is cut, also with Windows line ends', () => {
  expect(cut('if a:\r\n  b()\r\n\r\n  c()', 9, 'code')).toEqual(['if a:', '  b()', '  c()']);
});

it('a blank span has no parts', () => {
  expect(cut(' \n ', 10, 'prose')).toEqual([]);
  expect(cut(' \n ', 10, 'code')).toEqual([]);
});

const holes = [
  { start: 2, end: 4 },
  { start: 6, end: 7 },
  { start: 9, end: 12 },
];

it('the holes within a span include one at its start, but not one at its end', () => {
  expect(spansWithin(holes, { start: 2, end: 9 })).toEqual(holes.slice(0, 2));
  expect(spansWithin(holes, { start: 3, end: 6 })).toEqual([]);
  expect(spansWithin([], { start: 0, end: 9 })).toEqual([]);
});

it('a span has one part more than it has holes', () => {
  expect(withoutHoles({ start: 2, end: 9 }, holes.slice(0, 2))).toEqual([
    { start: 2, end: 2 },
    { start: 4, end: 6 },
    { start: 7, end: 9 },
  ]);
});
