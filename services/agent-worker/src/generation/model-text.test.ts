import { expect, it } from 'vitest';
import { hasVisibleText, StorablePieces } from './model-text.js';

it.each([
  '',
  ' \n\t',
  '\u200B\u200C\u200D\u2060\uFEFF',
  '\u00AD\u034F\u061C\u180E',
  '\u2800',
  '\u3164\u115F\uFFA0',
  '\u202E\u2066',
  '\uFE0F\u{E0001}\u{E0100}',
  '\u0001\u0085',
  '\u00A0\u3000',
])('%j has no visible text', (text) => expect(hasVisibleText(text)).toBe(false));

it.each(['a', '\u200Ba', '1', '.', '日', '👩\u200D🚀', 'שלום'])('%j has visible text', (text) =>
  expect(hasVisibleText(text)).toBe(true),
);

const cases: [pieces: string[], shown: string[]][] = [
  [
    ['plain ', 'text'],
    ['plain ', 'text', ''],
  ],
  [
    ['a\uD83D', '\uDE00b'],
    ['a', '😀b', ''],
  ],
  [
    ['a\u0000b', '\u0000'],
    ['ab', '', ''],
  ],
  [['lost \uDE00 half'], ['lost \uFFFD half', '']],
  [['ends \uD83D'], ['ends ', '\uFFFD']],
];

it.each(cases)('StorablePieces turns the pieces %j into %j', (pieces, shown) => {
  const storable = new StorablePieces();
  expect([...pieces.map((piece) => storable.push(piece)), storable.end()]).toEqual(shown);
});
