import { expect, it } from 'vitest';
import { judge, type Bar, type Figure } from './figure.js';

const aFigure = (figure: Partial<Figure>): Figure => ({
  what: 'search',
  unit: 'ms',
  measured: 1,
  samples: 10,
  ...figure,
});

it.each<[number, number, Bar, string]>([
  [13, 10, { atMost: 3, of: 'difference' }, 'ok'],
  [13.1, 10, { atMost: 3, of: 'difference' }, 'missed'],
  [13, 10, { atMost: 1.3, of: 'ratio' }, 'ok'],
  [14, 10, { atMost: 1.3, of: 'ratio' }, 'missed'],
  [80, 10, { atLeast: 8, of: 'ratio' }, 'ok'],
  [79, 10, { atLeast: 8, of: 'ratio' }, 'missed'],
  [20, 1, { atMost: 20, of: 'value' }, 'ok'],
  [20.1, 30, { atMost: 20, of: 'value' }, 'missed'],
])('a measurement of %d against %d with the bar %j is %s', (measured, baseline, bar, verdict) => {
  expect(judge(aFigure({ measured, baseline, bar })).verdict).toBe(verdict);
});

it.each<Bar>([
  { atMost: 3, of: 'difference' },
  { atMost: 3, of: 'ratio' },
  { atLeast: 3, of: 'ratio' },
])('a figure without a measurement misses its bar %j', (bar) => {
  expect(judge(aFigure({ measured: Number.NaN, baseline: 1, bar })).verdict).toBe('missed');
  expect(judge(aFigure({ measured: 1, bar })).verdict).toBe('missed');
});

it('a figure without a measurement misses a bar for its value', () => {
  const bar: Bar = { atMost: 3, of: 'value' };
  expect(judge(aFigure({ measured: Number.NaN, bar })).verdict).toBe('missed');
});

it('a figure without a bar is reported without a verdict', () => {
  expect(judge(aFigure({ measured: 6, baseline: 3 }))).toMatchObject({ verdict: 'told', ratio: 2 });
  expect(judge(aFigure({ measured: 6 }))).toMatchObject({ verdict: 'told', ratio: undefined });
});
