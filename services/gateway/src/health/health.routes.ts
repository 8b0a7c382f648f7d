import type { DependencyStatus, Health, Readiness } from '@quire/shared/contracts';
import type { JobQueue, QueueName } from '@quire/shared/jobs';
import { modelHealth, type CircuitBreaker } from '@quire/shared/models';
import { countWorkers, workerKinds } from '@quire/shared/process';
import { Router, type Response } from 'express';
import type { Redis } from 'ioredis';
import type { Draining } from '../draining.js';
import { allowOnly } from '../http/allow-only.js';
import type { DependencyCheck } from './dependency-checks.js';
import { judgeModels, modelsAreWell } from './models-health.js';

export interface HealthDependencies {
  redis: Redis;
  checks: { redis: DependencyCheck; postgres: DependencyCheck; qdrant: DependencyCheck };
  breaker: Pick<CircuitBreaker, 'states'>;
  queues: Record<QueueName, Pick<JobQueue<QueueName>, 'counts'>>;
  draining: Draining;
}

export function healthRoutes(deps: HealthDependencies): Router {
  const router = Router();

  router.get('/health/live', (_req, res) => {
    res.json({ status: 'ok' });
  });

  router.get('/health/ready', async (_req, res) => {
    const [redis, postgres] = await Promise.all([deps.checks.redis(), deps.checks.postgres()]);
    const draining = deps.draining.started.aborted;
    const ready = !draining && redis.status === 'up' && postgres.status === 'up';
    send(res, ready, { status: ready ? 'ready' : 'not_ready', draining, dependencies: { redis, postgres } });
  });

  router.get('/health', async (_req, res) => {
    const [redis, postgres, qdrant] = await Promise.all([
      deps.checks.redis(),
      deps.checks.postgres(),
      deps.checks.qdrant(),
    ]);
    const dependencies = { redis, postgres, qdrant };
    const workers = await whileUp(redis, () => workerCounts(deps.redis));
    const queues = await whileUp(redis, () => queueCounts(deps.queues));
    const chain = await whileUp(redis, () => modelHealth(deps.redis, deps.breaker));
    const models = judgeModels(chain ?? undefined);
    const serving = !deps.draining.started.aborted && redis.status === 'up' && postgres.status === 'up';
    const whole =
      serving &&
      qdrant.status === 'up' &&
      Object.values(workers ?? {}).every((count) => count > 0) &&
      modelsAreWell(models);
    const status = whole ? 'ok' : serving ? 'degraded' : 'down';
    send(res, serving, { status, dependencies, workers, models, queues });
  });

  router.all(['/health', '/health/live', '/health/ready'], allowOnly('GET', 'HEAD'));

  return router;
}

function send(res: Response, healthy: boolean, body: Health | Readiness): void {
  if (!healthy) res.setHeader('Retry-After', '5');
  res.status(healthy ? 200 : 503).json(body);
}

async function whileUp<T>(redis: DependencyStatus, ask: () => Promise<T>): Promise<T | null> {
  return redis.status === 'up' ? ask().catch(() => null) : null;
}

async function workerCounts(redis: Redis): Promise<Record<string, number>> {
  const counts = await Promise.all(workerKinds.map((kind) => countWorkers(redis, kind)));
  return Object.fromEntries(workerKinds.map((kind, i) => [kind, counts[i] ?? 0]));
}

async function queueCounts(queues: HealthDependencies['queues']): Promise<NonNullable<Health['queues']>> {
  const entries = Object.entries(queues).map(async ([name, queue]) => [name, await queue.counts()] as const);
  return Object.fromEntries(await Promise.all(entries));
}
