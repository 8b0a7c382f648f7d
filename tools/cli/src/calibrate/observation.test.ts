import { expect, it } from 'vitest';
import { levelOf, scoreOf } from './observation.js';

it.each([
  ['lexical', [0.2, 0.6, 0.4], 0.7],
  ['best', [0.2, 0.6, 0.4], 0.6],
  ['average', [0.2, 0.6, 0.4], 0.4],
  ['evidence', [0.2, 0.6, 0.4], 0.65],
  ['best', [], 0],
  ['average', [], 0],
] as const)('the %s of %j is %d', (measure, similarities, score) => {
  expect(scoreOf(measure, { inScope: true, similarities, lexicalScore: 0.7 })).toBeCloseTo(score);
});

it.each([
  [[0.8, 0.1], 'high'],
  [[0.8], 'medium'],
  [[0.5], 'medium'],
  [[0.49, 0.49], 'low'],
  [[0.3], 'low'],
  [[0.29], 'insufficient'],
  [[], 'insufficient'],
] as const)(
  'the first rule that holds decides the level, as in the worker: %j is %s',
  (similarities, level) => {
    const levels = [
      { level: 'high', measure: 'best', atLeast: 0.8, chunks: 2 },
      { level: 'medium', measure: 'best', atLeast: 0.5, chunks: 1 },
      { level: 'low', measure: 'average', atLeast: 0.3, chunks: 1 },
    ] as const;
    expect(levelOf({ inScope: true, similarities, lexicalScore: 0.7 }, { levels })).toBe(level);
  },
);
