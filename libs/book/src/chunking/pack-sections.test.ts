import { expect, it } from 'vitest';
import { packSections } from './pack-sections.js';
import type { SectionPiece, Section } from './sections.js';

const piece = (size: number, afterNoise = false): SectionPiece => ({
  start: 0,
  end: 0,
  text: 'x'.repeat(size),
  afterNoise,
});
const section = (name: string, sizes: number[], over: Partial<Section> = {}): Section => ({
  path: [name],
  anchor: name,
  part: 1,
  isNamedPart: false,
  heading: { ...piece(0), text: `# ${name}` },
  pieces: sizes.map((size) => piece(size)),
  ...over,
});
/** `section: sizes of its pieces`, headings by their text. */
const packed = (...sections: Section[]) =>
  packSections(sections, (pieces) => pieces.map(({ text }) => text).join('')).map(
    (chunk) =>
      `${chunk.section.path.join()}: ${chunk.pieces.map(({ text }) => (text.startsWith('#') ? text : text.length)).join(' ')}`,
  );

it.each([
  ['fill a chunk up to the target', [600, 600, 1], ['a: 600 600', 'a: 1']],
  ['larger than the target stand alone', [100, 2400, 100], ['a: 100', 'a: 2400', 'a: 100']],
  ['are none', [], []],
])('pieces %s', (_, sizes, chunks) => {
  expect(packed(section('a', sizes))).toEqual(chunks);
});

it('pieces after noise start a chunk', () => {
  expect(packed(section('a', [], { pieces: [piece(5), piece(5, true), piece(5)] }))).toEqual([
    'a: 5',
    'a: 5 5',
  ]);
});

it('a short section joins the section before it, with its heading line', () => {
  expect(packed(section('a', [500]), section('b', [299]))).toEqual(['a: 500 # b 299']);
});

it('a short first section takes in the section after it', () => {
  expect(packed(section('a', [299]), section('b', [500]))).toEqual(['a: 299 # b 500']);
});

it('a short section joins another one with the headings of empty sections between them', () => {
  expect(packed(section('a', [10]), section('b', []), section('c', [10]))).toEqual(['a: 10 # b # c 10']);
});

it.each([
  ['neither is short', [section('a', [300]), section('b', [300])], ['a: 300', 'b: 300']],
  ['the target would not hold', [section('a', [1190]), section('b', [10])], ['a: 1190', 'b: 10']],
  [
    'another top-level section begins',
    [section('a', [10]), section('b', [10], { part: 2 })],
    ['a: 10', 'b: 10'],
  ],
  [
    'noise stands between',
    [section('a', [10]), section('b', [10], { heading: piece(3, true) })],
    ['a: 10', 'b: 10'],
  ],
  [
    'what stands before is only the end of a long section',
    [section('a', [1200, 10]), section('b', [400])],
    ['a: 1200', 'a: 10', 'b: 400'],
  ],
])('a short section stays alone when %s', (_, sections, chunks) => {
  expect(packed(...sections)).toEqual(chunks);
});

it('short sections are joined until none is short', () => {
  const sections = ['a', 'b', 'c', 'd'].map((name) => section(name, [200]));
  expect(packed(...sections, section('e', [300]))).toEqual(['a: 200 # b 200 # c 200 # d 200', 'e: 300']);
});

it('text before a tab joins the tab', () => {
  const inTab = { path: ['a', 'Tab'], anchor: 'a', isNamedPart: true, heading: undefined };
  const tab = section('Tab', [900], inTab);
  expect(packed(section('a', [20]), tab)).toEqual(['a,Tab: 20 900']);
  expect(packed(section('other', [20]), tab)).toEqual(['other: 20 900']);
  expect(packed(section('other', [20], { anchor: 'a' }), tab)).toEqual(['other: 20 900']);
});
