import { sharedCalls } from './batching/shared-calls.js';
import { redisMemory } from './hygiene/redis-memory.js';
import { ingestionSpeed } from './ingestion/ingestion-speed.js';
import type { Figure } from './report/figure.js';
import { retrievalOverhead } from './retrieval/retrieval-overhead.js';
import { streamMemory } from './streams/stream-memory.js';

export interface BenchmarkOptions {
  chunks: number;
  runs: number;
  streams: number;
}

export const benchmarks = {
  retrieval: () => retrievalOverhead(),
  batching: () => sharedCalls(),
  ingestion: ({ chunks }) => ingestionSpeed(chunks),
  hygiene: ({ runs }) => redisMemory(runs),
  streams: ({ streams }) => streamMemory(streams),
} satisfies Record<string, (options: BenchmarkOptions) => Promise<Figure[]>>;

export type BenchmarkName = keyof typeof benchmarks;
export const benchmarkNames = Object.keys(benchmarks) as BenchmarkName[];
