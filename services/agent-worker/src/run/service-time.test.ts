import { expect, it } from 'vitest';
import { ServiceTime } from './service-time.js';

const after = (...runs: number[]) => {
  const time = new ServiceTime();
  for (const ms of runs) time.record(ms);
  return time.ms;
};

it.each<[runs: number[], ms: number | null]>([
  [[], null],
  [[1500], 1500],
  [[1000, 2000], 1100],
  [[0, 0], 1],
  [[...Array.from({ length: 50 }, () => 1000), ...Array.from({ length: 50 }, () => 3000)], 2990],
])('the service time after runs of %j ms is %s ms', (runs, ms) => expect(after(...runs)).toBe(ms));
