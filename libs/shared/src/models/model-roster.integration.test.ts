import { eventually, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { breakerForTest, runOf } from '../../test/breaker-for-test.js';
import { redisForTest } from '../../test/open-for-test.js';
import { awaitRedis, redisKeys } from '../redis/index.js';
import type { Admitted } from './circuit-breaker.js';
import { announceModels, modelHealth, type AnnouncedModel } from './model-roster.js';
import type { RedisCircuitBreaker } from './redis-circuit-breaker.js';

const flash = { id: 'aa:flash', model: 'flash', position: 0 };
const lite = { id: 'aa:lite', model: 'lite', position: 1 };

let redis: Redis;
let breaker: RedisCircuitBreaker;

beforeEach(async () => {
  redis = redisForTest(await testRedisUrl());
  await awaitRedis(redis, 20_000);
  breaker = breakerForTest(redis);
});

function announceForTest(models: AnnouncedModel[]): () => Promise<void> {
  const withdraw = announceModels(redis, models);
  onTestFinished(withdraw);
  return withdraw;
}

async function announceElsewhere(models: AnnouncedModel[], ageMs = 0): Promise<void> {
  const member = JSON.stringify({ worker: 'other-host:1', models });
  await redis.zadd(redisKeys.modelRoster, Date.now() - ageMs, member);
}

async function misconfigure(id: string): Promise<void> {
  for (const caller of [runOf(), runOf()]) {
    await breaker.failed(id, (await breaker.admit(id, caller)) as Admitted, { kind: 'misconfigured' });
  }
}

const health = () => modelHealth(redis, breaker);
const expectModels = (...expected: { model: string; state: string }[]) =>
  eventually(async () => expect(await health()).toEqual(expected));

describe('model roster', () => {
  it('the models are unknown while no worker is alive, and after it withdrew its announcement', async () => {
    expect(await health()).toBeUndefined();
    const withdraw = announceForTest([flash]);
    await expectModels({ model: 'flash', state: 'closed' });
    await withdraw();
    expect(await health()).toBeUndefined();
  });

  it('there are no models while the workers have no key', async () => {
    announceForTest([]);
    await expectModels();
  });

  it('the models are listed in the order of the chain, each once, with the state of its breaker', async () => {
    announceForTest([lite, flash]);
    await announceElsewhere([flash, lite]);
    await announceElsewhere([]);
    await misconfigure(flash.id);
    await eventually(async () =>
      expect(await health()).toEqual([
        {
          model: 'flash',
          state: 'open',
          reason: 'misconfigured',
          since: expect.any(String),
          retry_at: expect.any(String),
        },
        { model: 'lite', state: 'closed' },
      ]),
    );
  });

  it('models of a worker without a sign of life for 10 s are not listed', async () => {
    await announceElsewhere([flash], 5000);
    await announceElsewhere([lite], 10_001);
    await expectModels({ model: 'flash', state: 'closed' });
  });

  it('a model is listed at its lowest position in any worker', async () => {
    const pro = { id: 'aa:pro', model: 'pro', position: 1 };
    await announceElsewhere([flash, pro, { ...lite, position: 2 }], 1);
    await announceElsewhere([{ ...lite, position: 0 }], 3);
    await announceElsewhere([{ ...flash, position: 2 }]);
    expect((await health())?.at(-1)).toMatchObject({ model: 'pro' });
  });

  it('of models with the same position the one that does not work is listed first', async () => {
    await announceElsewhere([flash, lite], 3000);
    await announceElsewhere([{ ...flash, id: 'bb:flash' }], 2000);
    await announceElsewhere([{ ...flash, id: 'cc:flash' }], 1000);
    await misconfigure('cc:flash');
    expect((await health())?.map(({ model, state }) => [model, state])).toEqual([
      ['flash', 'open'],
      ['flash', 'closed'],
      ['flash', 'closed'],
      ['lite', 'closed'],
    ]);
  });

  it('the list of models expires when all workers are gone', async () => {
    announceForTest([flash]);
    await expectModels({ model: 'flash', state: 'closed' });
    expect(await redis.pttl(redisKeys.modelRoster)).toBeGreaterThan(0);
  });
});
