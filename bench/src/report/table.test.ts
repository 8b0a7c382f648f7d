import { expect, it } from 'vitest';
import { judge } from './figure.js';
import { figureTable } from './table.js';

it('figures are printed in columns, and unmeasured ones are left empty', () => {
  const figures = [
    {
      what: 'overhead',
      unit: 'ms',
      measured: 12.34,
      baseline: 10,
      bar: { atMost: 3, of: 'difference' as const },
      samples: 400,
    },
    { what: 'memory', unit: 'MB', measured: 345.6, samples: 1 },
  ].map(judge);
  expect(figureTable(figures).split('\n')).toEqual([
    'what      measured  baseline  ratio          bar  samples',
    'overhead   12.3 ms   10.0 ms   1.23  ≤ 3 ms more      400  ok',
    'memory      346 MB         –      –            –        1',
    '',
  ]);
});
