import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { membersAlive, showSignsOfLife } from '../process/signs-of-life.js';
import { redisKeys } from '../redis/redis-keys.js';
import type { BreakerState, CircuitBreaker } from './circuit-breaker.js';

const announcedModelSchema = z.object({ id: z.string(), model: z.string(), position: z.number() });
const announcementSchema = z.object({ worker: z.string(), models: z.array(announcedModelSchema) });

/** A model of a worker's chain; the one at the lowest position is called first. */
export type AnnouncedModel = z.infer<typeof announcedModelSchema>;

export type ModelHealth = { model: string } & BreakerState;

/**
 * Announces the models that an agent worker is configured with, none if it has no key. Returns a function that withdraws
 * the announcement.
 */
export function announceModels(redis: Redis, models: readonly AnnouncedModel[]): () => Promise<void> {
  const member = JSON.stringify({ worker: `${hostname()}:${process.pid}`, models });
  return showSignsOfLife(redis, redisKeys.modelRoster, () => member);
}

/**
 * The models of all live agent workers in the order of the chain; undefined when no worker is alive. Where workers
 * disagree on a position, the model that does not work comes first.
 */
export async function modelHealth(
  redis: Redis,
  breaker: Pick<CircuitBreaker, 'states'>,
): Promise<ModelHealth[] | undefined> {
  const members = await membersAlive(redis, redisKeys.modelRoster);
  if (members.length === 0) return undefined;
  const announced = members.flatMap((member) => announcementSchema.parse(JSON.parse(member)).models);
  // The last entry of a model wins: its lowest position.
  const models = new Map(announced.sort((a, b) => b.position - a.position).map((model) => [model.id, model]));
  const states = await breaker.states([...models.keys()]);
  const positioned = [...models.values()].map(({ id, model, position }) => ({
    position,
    health: { model, ...(states.get(id) ?? closed) },
  }));
  return positioned
    .sort((a, b) => a.position - b.position || failing(b.health) - failing(a.health))
    .map(({ health }) => health);
}

const closed: BreakerState = { state: 'closed' };
const failing = ({ state }: BreakerState) => (state === 'closed' ? 0 : 1);
