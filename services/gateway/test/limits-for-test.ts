import type { Redis } from 'ioredis';
import { KnownCapacities } from '../src/admission/worker-capacity.js';
import { Limits } from '../src/limits/limits.js';
import { RateLimit } from '../src/limits/rate-limit.js';
import { Slots } from '../src/limits/slots.js';
import { RedisAccess } from '../src/redis-access.js';

export const redisAccess = new RedisAccess({ isResponding: true });
export const noWorkers = new KnownCapacities(() => Promise.resolve([]));

export function limitsForTest(redis: Redis): Limits {
  return new Limits({
    rate: new RateLimit(redis),
    slots: new Slots(redis),
    redisAccess,
    capacities: noWorkers,
    defaults: { ratePerMinute: 100, maxConcurrent: 10 },
  });
}
