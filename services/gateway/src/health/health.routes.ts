import { healthSchema, livenessSchema, readinessSchema } from '@quire/shared/contracts';
import type { Response } from 'express';
import { jsonResponse, route, type RouteGroup } from '../http/route.js';
import * as examples from './health.examples.js';
import { reportHealth, reportReadiness, type HealthDependencies } from './report-health.js';

const open = { method: 'get', scope: 'open' } as const;

const health = route({
  ...open,
  path: '/health',
  operationId: 'getHealth',
  summary: 'Dependencies, workers, models and queues',
  responses: {
    200: jsonResponse(
      'Questions are answered; `degraded` if some dependency, worker or model is missing.',
      healthSchema,
      {
        ok: { summary: 'Everything works', value: examples.healthyExample },
      },
    ),
    503: jsonResponse(
      'Redis or Postgres is not reachable or refuses writes (its `problem` says why), or the process is stopping.',
      healthSchema,
      {
        down: { summary: 'Redis is not reachable', value: examples.downExample },
        full: { summary: "The database's disk is full", value: examples.fullDiskExample },
      },
    ),
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
    200: jsonResponse('The process runs.', livenessSchema, {
      alive: { summary: 'Alive', value: { status: 'ok' } },
    }),
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
    200: jsonResponse('The gateway accepts requests.', readinessSchema, {
      ready: { summary: 'Ready', value: examples.readyExample },
    }),
    503: jsonResponse(
      'A store is not reachable or refuses writes, or the process is stopping.',
      readinessSchema,
      {
        draining: { summary: 'Stopping', value: examples.drainingExample },
      },
    ),
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
  description: 'For load balancers and operators.',
  responses: { Health: healthSchema, Readiness: readinessSchema, Liveness: livenessSchema },
  routes: [health, live, ready],
};
