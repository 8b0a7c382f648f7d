import { randomUUID } from 'node:crypto';
import {
  claimRun,
  findRun,
  finishRun,
  insertRuns,
  migrate,
  openDatabase,
  type NewRun,
} from '@quire/shared/database';
import { openQueue, FairOrder } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { redisKeys } from '@quire/shared/redis';
import { RunLog } from '@quire/shared/run-log';
import { createTestDatabase, eventually, testRedisUrl } from '@quire/testkit';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { completed } from '../../test/gateway-under-test.js';
import { limitsForTest, noWorkers, redisAccess } from '../../test/limits-for-test.js';
import { Admission } from '../admission/admission.js';
import { RunSlots } from '../limits/run-slots.js';
import { acceptQuestion, type AcceptDependencies } from './accept-question.js';
import { RunInserter } from './run-inserter.js';
import { Withdrawals } from './withdrawals.js';

const logger = createLogger('test', 'silent');

async function acceptance() {
  const { url, drop } = await createTestDatabase();
  await migrate(url, logger);
  const db = openDatabase(url, logger, 2);
  const redis = new Redis(await testRedisUrl(), { maxRetriesPerRequest: null });
  const queue = openQueue('chat', redis);
  const fairOrder = new FairOrder(redis);
  const withdrawals = new Withdrawals(db, logger);
  withdrawals.lateRowCheck.start();
  onTestFinished(async () => {
    await withdrawals.lateRowCheck.stop();
    await queue.close();
    redis.disconnect();
    await db.destroy();
    await drop();
  });
  const deps: AcceptDependencies = {
    db,
    admission: new Admission({ fairOrder, redisAccess, capacities: noWorkers, maxExpectedWaitMs: 30_000 }),
    inserter: new RunInserter(db),
    queue,
    fairOrder,
    runLog: new RunLog(redis),
    withdrawals,
    runSlots: new RunSlots(db),
    deadlineMs: 60_000,
  };
  const callerId = randomUUID();
  const permit = limitsForTest(redis).permitFor({ callerId, ratePerMinute: null, maxConcurrent: null });
  const taken = async () => ({
    requests: Object.keys(await redis.hgetall(redisKeys.requestRate(callerId))).length,
    slots: await redis.zcard(redisKeys.requestSlots(callerId)),
  });
  return { db, deps, permit, taken };
}

/** Does the work, and then rejects as if its reply had been lost. */
const withoutReply =
  <Args extends unknown[]>(
    work: (...args: Args) => Promise<unknown>,
    message: string,
    meanwhile: () => unknown,
  ) =>
  async (...args: Args): Promise<never> => {
    await work(...args);
    await meanwhile();
    throw new Error(message);
  };

const question = (id: string) => ({
  runId: id,
  tenant: 'acme',
  request: { message: 'Hi', session_id: randomUUID(), top_k: 5 },
  log: logger,
});

const losses = ['insert', 'enqueue'] as const;

async function acceptWithLoss(loss: (typeof losses)[number], meanwhile: 'nothing' | 'begun' | 'ended') {
  const { db, deps, permit, taken } = await acceptance();
  const id = randomUUID();
  const happen = async () => {
    if (meanwhile === 'nothing') return;
    await claimRun(db, id);
    if (meanwhile === 'ended') await finishRun(db, id, completed(id));
  };
  const faulty =
    loss === 'insert'
      ? {
          inserter: {
            insert: withoutReply((run: NewRun) => insertRuns(db, [run]), 'Query read timeout', happen),
          },
        }
      : { queue: { add: withoutReply(deps.queue.add, 'Command timed out', happen) } };
  const accepting = acceptQuestion({ ...deps, ...faulty }, question(id), permit);
  return { accepting, run: () => findRun(db, id), id, taken };
}

it.each(losses)(
  'a question whose %s got no reply is refused, its row closed before that and its permit refunded',
  async (loss) => {
    const { accepting, run, taken } = await acceptWithLoss(loss, 'nothing');
    await expect(accepting).rejects.toThrow();
    expect(await run()).toMatchObject({ state: 'failed', attempt: 0 });
    await eventually(async () => expect(await taken()).toEqual({ requests: 0, slots: 0 }));
  },
);

it.each(losses.flatMap((loss) => (['begun', 'ended'] as const).map((standing) => [loss, standing] as const)))(
  'a question whose %s got no reply is accepted and holds its slot if its run has %s meanwhile',
  async (loss, standing) => {
    const { accepting, run, id, taken } = await acceptWithLoss(loss, standing);
    expect(await accepting).toMatchObject({ run: { id }, replayed: false });
    expect(await run()).toMatchObject({ outcome: standing === 'begun' ? null : { type: 'completed' } });
    expect(await taken()).toEqual({ requests: 1, slots: 1 });
  },
);

it('a row that appears after its question was refused is closed', async () => {
  const { db, deps, permit } = await acceptance();
  const id = randomUUID();
  let appear = async () => {};
  const inserter: AcceptDependencies['inserter'] = {
    insert: (run) => {
      appear = async () => void (await insertRuns(db, [run]));
      return Promise.reject(new Error('Query read timeout'));
    },
  };
  await expect(acceptQuestion({ ...deps, inserter }, question(id), permit)).rejects.toThrow(
    'Query read timeout',
  );
  await appear();
  await eventually(async () => expect(await findRun(db, id)).toMatchObject({ state: 'failed' }));
});

it('a question that loses its Idempotency-Key to a concurrent one is a replay, with its permit refunded', async () => {
  const { db, deps, permit, taken } = await acceptance();
  const [winner, loser] = [randomUUID(), randomUUID()];
  const idempotency = { key: 'mine', bodyHash: 'hash' };
  const { inserter } = deps;
  const insert = async (run: NewRun) => {
    await insertRuns(db, [{ ...run, id: winner }]);
    return inserter.insert(run);
  };
  const accepted = await acceptQuestion(
    { ...deps, inserter: { insert } },
    { ...question(loser), idempotency },
    permit,
  );
  expect(accepted).toMatchObject({ run: { id: winner }, replayed: true });
  await eventually(async () => expect(await taken()).toEqual({ requests: 0, slots: 0 }));
});
