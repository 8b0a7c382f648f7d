import { expect, it } from 'vitest';
import { StorablePieces } from './storable-pieces.js';

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

it.each(cases)('%j is shown as %j', (pieces, shown) => {
  const storable = new StorablePieces();
  expect([...pieces.map((piece) => storable.push(piece)), storable.end()]).toEqual(shown);
});
