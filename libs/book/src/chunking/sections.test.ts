import { expect, it } from 'vitest';
import type { OutlineEvent } from './outline.js';
import { sectionsOf } from './sections.js';

const line = { start: 0, end: 0, text: '' };
const heading = (depth: number, text: string): OutlineEvent => ({
  type: 'heading',
  depth,
  text,
  anchor: text.toLowerCase(),
  line,
});
const piece: OutlineEvent = { type: 'piece', piece: line };
const enter = (label: string): OutlineEvent => ({ type: 'enter', label });
const leave: OutlineEvent = { type: 'leave' };

/** `path #anchor part` of each section that is not empty. */
const outline = (events: OutlineEvent[], title = 'Title') =>
  sectionsOf(events, title)
    .filter(({ pieces }) => pieces.length > 0)
    .map(({ path, anchor, part }) => `${path.join(' > ')} #${anchor ?? ''} ${part}`);

it('the heading path follows the heading tree without repeating the page title', () => {
  const events = [
    heading(1, 'Title'),
    piece,
    heading(2, 'A'),
    piece,
    heading(4, 'Deep'),
    piece,
    heading(3, 'B'),
    piece,
  ];
  expect(outline(events)).toEqual([' # 1', 'A #a 2', 'A > Deep #deep 2', 'A > B #b 2']);
});

it('the heading path includes the first of several H1 when the page has another title', () => {
  const events = [heading(1, 'One'), piece, heading(1, 'Two'), piece];
  expect(outline(events, 'Title')).toEqual(['One #one 1', 'Two #two 2']);
  expect(outline(events, 'One')).toEqual([' # 1', 'Two #two 2']);
});

it('the heading path is extended inside a tab, with the anchor around it, and restored after it', () => {
  const events = [heading(2, 'A'), piece, enter('Tab'), piece, heading(3, 'In'), piece, leave, piece];
  expect(outline(events)).toEqual(['A #a 1', 'A > Tab #a 1', 'A > Tab > In #in 1', 'A #a 1']);
});

it.each([
  ['is the H2', [1, 2, 3, 3, 2], [1, 2, 2, 2, 3]],
  ['is the H1 when there are several', [1, 2, 2, 1, 2], [1, 1, 1, 2, 2]],
  ['is the outermost level that repeats', [1, 2, 3, 3], [1, 2, 3, 4]],
  ['is the outermost below the title when none repeats', [1, 2, 3], [1, 2, 2]],
  ['is the H3 in a page without others', [3, 4, 4, 3], [1, 1, 1, 2]],
])('the top level %s', (_, depths, parts) => {
  const events = depths.flatMap((depth, index) => [heading(depth, `H${index}`), piece]);
  expect(
    sectionsOf(events, 'x')
      .filter(({ pieces }) => pieces.length > 0)
      .map(({ part }) => part),
  ).toEqual(parts);
});

it('a top-level section ends with a tab that contains one of its headings', () => {
  const events = [
    heading(2, 'A'),
    enter('Tab'),
    heading(2, 'B'),
    piece,
    leave,
    piece,
    heading(2, 'C'),
    piece,
  ];
  expect(outline(events)).toEqual(['A > Tab > B #b 2', 'A #a 3', 'C #c 4']);
});

const texts = (...events: OutlineEvent[]) =>
  sectionsOf(events, 'Title').map(({ path, pieces }) => `${path.join(' > ')}: ${pieces.length}`);

it.each([
  ['is text before another of its level', [heading(2, 'A'), heading(2, 'B'), piece], ['A: 1', 'B: 1']],
  ['is text at the end', [heading(2, 'A')], ['A: 1']],
  ['is named by what stands below', [heading(2, 'A'), heading(3, 'B'), piece], ['A: 0', 'A > B: 1']],
  ['is named by a tab below', [heading(2, 'A'), enter('T'), piece, leave], ['A: 0', 'A > T: 1', 'A: 0']],
  ['is text before an empty tab', [heading(2, 'A'), enter('T'), leave], ['A: 1', 'A > T: 0', 'A: 0']],
  ['is text before one of the same name', [heading(2, 'A'), heading(2, 'A'), piece], ['A: 1', 'A: 1']],
  ['is the title of every chunk', [heading(1, 'Title'), heading(2, 'A'), piece], [': 0', 'A: 1']],
])('a heading with nothing below it %s', (_, events, expected) => {
  expect(texts(...events).slice(1)).toEqual(expected);
});

it('noise separates the next piece or heading alone', () => {
  const noise: OutlineEvent = { type: 'noise' };
  const [start, below] = sectionsOf([piece, noise, piece, piece, noise, heading(2, 'A'), piece], 'x');
  expect(start?.pieces.map(({ afterNoise }) => afterNoise)).toEqual([false, true, false]);
  expect(below?.heading?.afterNoise).toBe(true);
  expect(below?.pieces.map(({ afterNoise }) => afterNoise)).toEqual([false]);
});
