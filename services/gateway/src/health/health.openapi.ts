import {
  healthSchema,
  livenessSchema,
  readinessSchema,
  type Health,
  type Readiness,
} from '@quire/shared/contracts';
import { json, type ApiGroup } from '../openapi/api-description.js';

const up = { status: 'up', latency_ms: 0.4 } as const;
const down = { status: 'down', latency_ms: 0.1, problem: 'The queue is not reachable' } as const;
const full = {
  status: 'down',
  latency_ms: 0.6,
  problem: 'The database cannot store data: its disk is full',
} as const;
const jobs = { waiting: 0, active: 1, delayed: 0, failed: 0 };

const ok: Health = {
  status: 'ok',
  dependencies: { redis: up, postgres: up, qdrant: { ...up, collection: 'quire', points: 412 } },
  workers: { 'agent-worker': 2, 'retrieval-worker': 1 },
  models: { status: 'ok', chain: [{ model: 'gemini-3.8-flash', state: 'closed' }] },
  queues: { chat: jobs, retrieval: jobs, ingest: jobs },
};
const broken: Health = {
  status: 'down',
  dependencies: { redis: down, postgres: up, qdrant: up },
  workers: null,
  models: { status: 'unknown', chain: [] },
  queues: null,
};
const unwritable: Health = { ...ok, status: 'down', dependencies: { ...ok.dependencies, postgres: full } };
const ready: Readiness = { status: 'ready', draining: false, dependencies: { redis: up, postgres: up } };
const draining: Readiness = { ...ready, status: 'not_ready', draining: true };

export const healthApi: ApiGroup = {
  name: 'Health',
  description: 'For load balancers and people on call.',
  answers: { Health: healthSchema, Readiness: readinessSchema, Liveness: livenessSchema },
  paths: {
    '/health': {
      get: {
        operationId: 'getHealth',
        summary: 'Dependencies, workers, models and queues',
        answers: {
          200: {
            description: 'Questions are answered; `degraded` if not as they should be.',
            content: json('Health', { ok: { summary: 'All is well', value: ok } }),
          },
          503: {
            description:
              'Something that every question needs is away, or takes no writes: its `problem` says why.',
            content: json('Health', {
              down: { summary: 'Redis is away', value: broken },
              full: { summary: "The database's disk is full", value: unwritable },
            }),
          },
        },
        errors: [],
        open: true,
      },
    },
    '/health/live': {
      get: {
        operationId: 'isAlive',
        summary: 'Whether the process runs',
        answers: {
          200: {
            description: 'It does.',
            content: json('Liveness', { alive: { summary: 'Alive', value: { status: 'ok' } } }),
          },
        },
        errors: [],
        open: true,
      },
    },
    '/health/ready': {
      get: {
        operationId: 'isReady',
        summary: 'Whether to send requests here',
        answers: {
          200: {
            description: 'Yes.',
            content: json('Readiness', { ready: { summary: 'Ready', value: ready } }),
          },
          503: {
            description: 'A store is away or takes no writes, or the process is stopping.',
            content: json('Readiness', { draining: { summary: 'Stopping', value: draining } }),
          },
        },
        errors: [],
        open: true,
      },
    },
  },
};
