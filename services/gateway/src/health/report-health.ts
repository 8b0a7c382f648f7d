import type { DependencyStatus, Health, Readiness } from '@quire/shared/contracts';
import type { JobQueue, QueueName } from '@quire/shared/jobs';
import { modelHealth, type CircuitBreaker } from '@quire/shared/models';
import { countWorkers, workerKinds } from '@quire/shared/process';
import type { Redis } from 'ioredis';
import type { Draining } from '../draining.js';
import type { DependencyCheck } from './dependency-checks.js';
import { judgeModels, modelsAreWell } from './models-health.js';

export interface HealthDependencies {
  redis: Redis;
  checks: { redis: DependencyCheck; postgres: DependencyCheck; qdrant: DependencyCheck };
  breaker: Pick<CircuitBreaker, 'states'>;
  queues: Record<QueueName, Pick<JobQueue<QueueName>, 'counts'>>;
  draining: Draining;
}

export async function reportReadiness({ checks, draining }: HealthDependencies): Promise<Readiness> {
  const [redis, postgres] = await Promise.all([checks.redis(), checks.postgres()]);
  const isDraining = draining.started.aborted;
  const isReady = !isDraining && redis.status === 'up' && postgres.status === 'up';
  return {
    status: isReady ? 'ready' : 'not_ready',
    draining: isDraining,
    dependencies: { redis, postgres },
  };
}

export async function reportHealth(deps: HealthDependencies): Promise<Health> {
  const { checks, draining } = deps;
  const [redis, postgres, qdrant] = await Promise.all([checks.redis(), checks.postgres(), checks.qdrant()]);
  const workers = await whileUp(redis, () => workerCounts(deps.redis));
  const queues = await whileUp(redis, () => queueCounts(deps.queues));
  const chain = await whileUp(redis, () => modelHealth(deps.redis, deps.breaker));
  const models = judgeModels(chain ?? undefined);
  const isServing = !draining.started.aborted && redis.status === 'up' && postgres.status === 'up';
  const isWhole =
    isServing &&
    qdrant.status === 'up' &&
    Object.values(workers ?? {}).every((count) => count > 0) &&
    modelsAreWell(models);
  const status = isWhole ? 'ok' : isServing ? 'degraded' : 'down';
  return { status, dependencies: { redis, postgres, qdrant }, workers, models, queues };
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
