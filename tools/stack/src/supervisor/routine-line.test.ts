import { expect, it } from 'vitest';
import { isRoutineLine } from './routine-line.js';

it.each([
  ['{"level":"info","message":"Page ingested"}', true],
  ['{"level":"debug"}', true],
  ['{"level":"warn","message":"slow"}', false],
  ['{"level":"error"}', false],
  ['{"level":30}', false],
  ['{"no":"level"}', false],
  ['{broken', false],
  ['Error: out of memory', false],
])('a routine line %s: %s', (line, routine) => {
  expect(isRoutineLine(line)).toBe(routine);
});
