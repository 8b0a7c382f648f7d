import type { Health, Readiness } from '@quire/shared/contracts';

const up = { status: 'up', latency_ms: 0.4 } as const;
const down = { status: 'down', latency_ms: 0.1, problem: 'The queue is not reachable' } as const;
const full = {
  status: 'down',
  latency_ms: 0.6,
  problem: 'The database cannot store data: its disk is full',
} as const;
const jobs = { waiting: 0, active: 1, delayed: 0, failed: 0 };

export const healthyExample: Health = {
  status: 'ok',
  dependencies: { redis: up, postgres: up, qdrant: { ...up, collection: 'quire', points: 412 } },
  workers: { 'agent-worker': 2, 'retrieval-worker': 1 },
  models: { status: 'ok', chain: [{ model: 'gemini-3.8-flash', state: 'closed' }] },
  queues: { chat: jobs, retrieval: jobs, ingest: jobs },
};
export const downExample: Health = {
  status: 'down',
  dependencies: { redis: down, postgres: up, qdrant: up },
  workers: null,
  models: { status: 'unknown', chain: [] },
  queues: null,
};
export const fullDiskExample: Health = {
  ...healthyExample,
  status: 'down',
  dependencies: { ...healthyExample.dependencies, postgres: full },
};
export const readyExample: Readiness = {
  status: 'ready',
  draining: false,
  dependencies: { redis: up, postgres: up },
};
export const drainingExample: Readiness = { ...readyExample, status: 'not_ready', draining: true };
