import type { AgentCapacity } from '@quire/shared/process';
import { expect, it } from 'vitest';
import { expectedWaitMs } from './worker-capacity.js';

const worker = (concurrency: number, service_ms: number | null): AgentCapacity => ({
  concurrency,
  service_ms,
});

it.each<[title: string, ahead: number, workers: AgentCapacity[], wait: number | undefined]>([
  ['no job ahead', 0, [worker(50, 2000)], 0],
  ['one worker', 100, [worker(50, 2000)], 4000],
  ['two equal workers', 100, [worker(50, 2000), worker(50, 2000)], 2000],
  ['a slow and a fast worker', 30, [worker(1, 1000), worker(1, 2000)], 20_000],
  ['a new worker counts like the others', 100, [worker(50, 2000), worker(50, null)], 2000],
  ['no worker', 100, [], undefined],
  ['no worker has finished a run', 100, [worker(50, null)], undefined],
])('expectedWaitMs() with %s', (_, ahead, workers, wait) =>
  expect(expectedWaitMs(ahead, workers)).toBe(wait),
);
