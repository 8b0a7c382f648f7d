import { randomUUID } from 'node:crypto';
import { claimRun, findRun, finishRun, insertRuns, migrate, openDatabase } from '@quire/shared/database';
import { FairOrder, openQueue } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { RunLog } from '@quire/shared/run-log';
import { createTestDatabase, eventually, testRedisUrl } from '@quire/testkit';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { completed } from '../../test/gateway-under-test.js';
import { acceptRun, type AcceptDependencies } from './accept-run.js';
import { RunInserter } from './run-inserter.js';
import { Withdrawals } from './withdrawals.js';

const logger = createLogger('test', 'silent');

async function acceptance() {
  const { url, drop } = await createTestDatabase();
  await migrate(url, logger);
  const db = openDatabase(url, logger, 2);
  const redis = new Redis(await testRedisUrl(), { maxRetriesPerRequest: null });
  const queue = openQueue('chat', redis);
  onTestFinished(async () => {
    await queue.close();
    redis.disconnect();
    await db.destroy();
    await drop();
  });
  const deps: AcceptDependencies = {
    db,
    pulse: { isFelt: true },
    inserter: new RunInserter(db),
    queue,
    fairOrder: new FairOrder(redis),
    runLog: new RunLog(redis),
    withdrawals: new Withdrawals(db, logger),
    deadlineMs: 60_000,
  };
  return { db, deps };
}

/** What is done, but not answered, and what happens until whoever waits gives up. */
const unanswered =
  <Args extends unknown[]>(
    act: (...args: Args) => Promise<unknown>,
    words: string,
    meanwhile: () => unknown,
  ) =>
  async (...args: Args): Promise<never> => {
    await act(...args);
    await meanwhile();
    throw new Error(words);
  };

const asking = (id: string) => ({
  runId: id,
  tenant: 'local',
  request: { message: 'Hi', session_id: randomUUID(), top_k: 5 },
  log: logger,
});

const losses = ['insert', 'enqueue'] as const;

async function acceptWithLoss(loss: (typeof losses)[number], meanwhile: 'nothing' | 'begun' | 'ended') {
  const { db, deps } = await acceptance();
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
            insert: unanswered((run) => insertRuns(db, [run]), 'Query read timeout', happen),
          } as AcceptDependencies['inserter'],
        }
      : { queue: { add: unanswered(deps.queue.add, 'Command timed out', happen) } };
  const accepting = acceptRun({ ...deps, ...faulty }, asking(id));
  return { accepting, run: () => findRun(db, id), id };
}

it.each(losses)(
  'a run whose %s got no answer is refused, and closed before its caller hears of it',
  async (loss) => {
    const { accepting, run } = await acceptWithLoss(loss, 'nothing');
    await expect(accepting).rejects.toThrow();
    expect(await run()).toMatchObject({ state: 'failed', attempt: 0 });
  },
);

it.each(losses.flatMap((loss) => (['begun', 'ended'] as const).map((standing) => [loss, standing] as const)))(
  'a run whose %s got no answer stands if it was %s meanwhile',
  async (loss, standing) => {
    const { accepting, run, id } = await acceptWithLoss(loss, standing);
    expect(await accepting).toMatchObject({ id });
    expect(await run()).toMatchObject({ outcome: standing === 'begun' ? null : { type: 'completed' } });
  },
);

it('a row that comes after its caller was refused is closed', async () => {
  const { db, deps } = await acceptance();
  const id = randomUUID();
  let arrive = async () => {};
  const inserter: AcceptDependencies['inserter'] = {
    insert: (run) => {
      arrive = async () => void (await insertRuns(db, [run]));
      return Promise.reject(new Error('Query read timeout'));
    },
  };
  await expect(acceptRun({ ...deps, inserter }, asking(id))).rejects.toThrow('Query read timeout');
  await arrive();
  await eventually(async () => expect(await findRun(db, id)).toMatchObject({ state: 'failed' }));
});
