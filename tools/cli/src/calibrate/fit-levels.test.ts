import { confidencePresetSchema } from '@quire/shared/contracts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitLevels } from './fit-levels.js';
import { levelOf, type Observation } from './observation.js';

const inside = (...similarities: number[]): Observation => ({
  inScope: true,
  similarities,
  lexicalScore: 0.5,
});
const outside = (...similarities: number[]): Observation => ({
  inScope: false,
  similarities,
  lexicalScore: 0.5,
});
const times = (count: number, make: (i: number) => Observation) =>
  Array.from({ length: count }, (_, i) => make(i));

/** In scope 0.40, 0.405, … 0.595; out of scope 0.30, 0.31, … 0.49. */
const overlapping = [
  ...times(40, (i) => inside((80 + i) / 200, (80 + i) / 200)),
  ...times(20, (i) => outside((30 + i) / 100, (30 + i) / 100)),
];

it('one in twenty in-scope questions may be refused, one in twenty others reaches medium, none reaches high', () => {
  expect(fitLevels(overlapping)).toEqual([
    { level: 'high', measure: 'best', atLeast: 0.5, chunks: 2 },
    { level: 'medium', measure: 'best', atLeast: 0.4801, chunks: 1 },
    { level: 'low', measure: 'best', atLeast: 0.41, chunks: 1 },
  ]);
});

it('high lies above every out-of-scope question even where the better half does not', () => {
  const [high] = fitLevels([...overlapping, outside(0.55)]);
  expect(high).toMatchObject({ level: 'high', atLeast: 0.5501 });
});

it('the measure that refuses more out-of-scope questions is chosen', () => {
  const byAverage = [...times(20, () => inside(0.6, 0.6)), ...times(20, () => outside(0.7, 0.1))];
  expect(new Set(fitLevels(byAverage).map(({ measure }) => measure))).toEqual(new Set(['average']));
  const byBest = [...times(20, () => inside(0.7, 0.1)), ...times(20, () => outside(0.5, 0.5))];
  expect(new Set(fitLevels(byBest).map(({ measure }) => measure))).toEqual(new Set(['best']));
  const byWords = [
    ...times(20, () => inside(0.6)),
    ...times(20, () => ({ ...outside(0.6), lexicalScore: 0.4 })),
  ];
  expect(new Set(fitLevels(byWords).map(({ measure }) => measure))).toEqual(new Set(['lexical']));
});

it('a level that could never be reached is left out', () => {
  const apart = [...times(20, () => inside(0.6, 0.6)), ...times(20, () => outside(0.2, 0.2))];
  expect(fitLevels(apart).map(({ level, atLeast }) => [level, atLeast])).toEqual([
    ['high', 0.6],
    ['medium', 0.6],
  ]);
  const hopeless = [...times(20, () => inside(0.6, 0.6)), ...times(20, () => outside(1, 1))];
  expect(fitLevels(hopeless).map(({ level, atLeast }) => [level, atLeast])).toEqual([['low', 0.6]]);
});

const similarities = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 5 });
const someOf = (make: (...each: number[]) => Observation) =>
  fc.array(
    similarities.map((each) => make(...each)),
    { minLength: 10, maxLength: 40 },
  );
const observations = fc.tuple(someOf(inside), someOf(outside)).map((kinds) => kinds.flat());
const share = (all: readonly Observation[], levels: ReturnType<typeof fitLevels>, ...reached: string[]) =>
  all.filter((each) => reached.includes(levelOf(each, { levels }))).length / all.length;

it('the cut points of any observations fall from level to level and make a valid preset', () => {
  fc.assert(
    fc.property(observations, (all) => {
      const levels = fitLevels(all);
      const cuts = levels.map(({ atLeast }) => atLeast);
      expect(cuts).toEqual(cuts.toSorted((a, b) => b - a));
      expect(confidencePresetSchema.parse({ similarityThreshold: 0, levels }).levels).toEqual(levels);
    }),
  );
});

it('the levels of any observations keep their shares of in-scope and other questions', () => {
  fc.assert(
    fc.property(observations, (all) => {
      const levels = fitLevels(all);
      const [some, others] = [all.filter(({ inScope }) => inScope), all.filter(({ inScope }) => !inScope)];
      expect(share(some, levels, 'insufficient')).toBeLessThanOrEqual(0.05 + 1e-9);
      expect(share(others, levels, 'high', 'medium')).toBeLessThanOrEqual(0.05 + 1e-9);
      expect(share(others, levels, 'high')).toBe(0);
    }),
  );
});
