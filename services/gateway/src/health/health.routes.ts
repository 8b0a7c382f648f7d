import { healthSchema, livenessSchema, readinessSchema } from '@quire/shared/contracts';
import type { Response } from 'express';
import { route, type RouteGroup } from '../http/route.js';
import * as examples from './health.examples.js';
import { reportHealth, reportReadiness, type HealthDependencies } from './report-health.js';

const open = { method: 'get', scope: 'open', limits: 'none' } as const;

const health = route({
  ...open,
  path: '/health',
  operationId: 'getHealth',
  summary: 'Dependencies, workers, models and queues',
  responses: {
    200: {
      description: 'Questions are answered; `degraded` if not as they should be.',
      json: {
        schema: healthSchema,
        examples: { ok: { summary: 'All is well', value: examples.healthyExample } },
      },
    },
    503: {
      description: 'Something that every question needs is away, or takes no writes: its `problem` says why.',
      json: {
        schema: healthSchema,
        examples: {
          down: { summary: 'Redis is away', value: examples.downExample },
          full: { summary: "The database's disk is full", value: examples.fullDiskExample },
        },
      },
    },
  },
  async handle(deps: HealthDependencies, { res }) {
    const report = await reportHealth(deps);
    send(res, report.status !== 'down', report);
  },
});

const live = route({
  ...open,
  path: '/health/live',
  operationId: 'isAlive',
  summary: 'Whether the process runs',
  responses: {
    200: {
      description: 'It does.',
      json: { schema: livenessSchema, examples: { alive: { summary: 'Alive', value: { status: 'ok' } } } },
    },
  },
  handle(_deps: unknown, { res }) {
    res.json({ status: 'ok' });
  },
});

const ready = route({
  ...open,
  path: '/health/ready',
  operationId: 'isReady',
  summary: 'Whether to send requests here',
  responses: {
    200: {
      description: 'Yes.',
      json: {
        schema: readinessSchema,
        examples: { ready: { summary: 'Ready', value: examples.readyExample } },
      },
    },
    503: {
      description: 'A store is away or takes no writes, or the process is stopping.',
      json: {
        schema: readinessSchema,
        examples: { draining: { summary: 'Stopping', value: examples.drainingExample } },
      },
    },
  },
  async handle(deps: HealthDependencies, { res }) {
    const report = await reportReadiness(deps);
    send(res, report.status === 'ready', report);
  },
});

function send(res: Response, isHealthy: boolean, body: object): void {
  if (!isHealthy) res.setHeader('Retry-After', '5');
  res.status(isHealthy ? 200 : 503).json(body);
}

export const healthGroup: RouteGroup<HealthDependencies> = {
  name: 'Health',
  description: 'For load balancers and people on call.',
  responses: { Health: healthSchema, Readiness: readinessSchema, Liveness: livenessSchema },
  routes: [health, live, ready],
};
