import { expect, it } from 'vitest';
import { fitThreshold } from './fit-threshold.js';

const hundred = Array.from({ length: 100 }, (_, i) => (i + 1) / 100);

it.each([
  ['one in a hundred relevant passages may be lost', hundred, [0.9], 0.02],
  ['of fewer than a hundred none is lost', [0.4, 0.5], [0.9], 0.4],
  ['but in-scope questions keep some passage', [0.6], [0.3, 0.7], 0.3],
  ['one in forty of them may lose all', [0.6], [0.1, ...Array.from({ length: 39 }, () => 0.5)], 0.5],
  ['it is never negative', [-0.3], [0.5], 0],
  ['without a relevant passage there is none', [], [0.5], 0],
])('the threshold is as high as the evidence allows: %s', (_, relevant, bestInScope, threshold) => {
  expect(fitThreshold({ relevant, bestInScope })).toBe(threshold);
});
