import { findRun, openDatabase, setAbandoned } from '@quire/shared/database';
import { FairOrder, openQueue } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { redisKeys } from '@quire/shared/redis';
import { defaultRunLogLimits, RunLog } from '@quire/shared/run-log';
import { answer } from '@quire/scripted-providers';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { reconcileRuns, type ReconcileObserver } from '../src/reconciliation/reconcile-runs.js';
import { startAgent, type AgentOptions, type AgentUnderTest } from './agent-under-test.js';
import { shownText } from './shown-answer.js';

let agent: AgentUnderTest;
const started = async (options: AgentOptions = {}) =>
  (agent = await startAgent({ reconcileEveryMs: 200, ...options }));
/** Starts a worker whose reconciler makes no pass, because the key in Redis says that another one does. */
const startedWithoutPasses = async () => {
  const redisUrl = await testRedisUrl();
  const redis = new Redis(redisUrl);
  await redis.set(redisKeys.reconciling, 'another');
  redis.disconnect();
  return started({ redisUrl });
};
afterEach(() => agent.close());

/** A run without a job that was accepted longer ago than gateways take to enqueue one. */
const acceptedLongAgo = async (change: { deadline_at?: Date } = {}) => {
  const runId = await agent.ask({}, 60_000, { enqueue: false });
  await agent.db
    .updateTable('runs')
    .set({ inserted_at: new Date(Date.now() - 10_000), ...change } as never)
    .where('id', '=', runId)
    .execute();
  return runId;
};
/** Makes a pass on a connection of its own. */
const passOver = (observer: Partial<ReconcileObserver> = {}, signal?: AbortSignal, db = agent.db) => {
  const redis = new Redis(agent.redisUrl, { maxRetriesPerRequest: null });
  onTestFinished(() => redis.disconnect());
  const parts = {
    queue: openQueue('chat', redis),
    fairOrder: new FairOrder(redis),
    runLog: new RunLog(redis),
  };
  const ignore = { onReconciled: () => {}, onFailed: () => {} };
  return reconcileRuns({ db, ...parts }, { ...ignore, ...observer }, signal);
};
const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);

describe('runs without a job', () => {
  it('a run without a job is enqueued and answered, and its log starts with `queued`', async () => {
    await started();
    const { events, outcome, attempt } = await agent.ended(await acceptedLongAgo());
    expect(typesOf(events).slice(0, 2)).toEqual(['queued', 'status']);
    expect(outcome).toMatchObject({ type: 'completed' });
    expect(attempt).toBe(1);
  });

  it('a run that was just accepted is left to its gateway', async () => {
    await startedWithoutPasses();
    const runId = await agent.ask({}, 60_000, { enqueue: false });
    // In the future, so that the run is new however slow the test is.
    await agent.db
      .updateTable('runs')
      .set({ inserted_at: new Date(Date.now() + 60_000) } as never)
      .where('id', '=', runId)
      .execute();
    const reconciled: string[] = [];
    await passOver({ onReconciled: (id) => reconciled.push(id) });
    expect(reconciled).toEqual([]);
    expect(await findRun(agent.db, runId)).toMatchObject({ attempt: 0, outcome: null });
  });

  /** Wipes Redis during an answer; returns the last sequence number that clients have seen. */
  const wiped = async () => {
    agent.providers.chat.enqueue(answer('first '.repeat(100).trim(), { tokenMs: 20 }));
    agent.providers.chat.byDefault(answer('Nodes talk [1].'));
    const runId = await acceptedLongAgo();
    await eventually(async () => expect((await agent.events(runId)).at(-1)?.type).toBe('delta'));
    const seen = (await agent.runLog.lastEntry(runId))?.seq ?? 0;
    await agent.redis.flushdb();
    return { runId, seen };
  };
  const turnsOf = () => agent.db.selectFrom('messages').select('run_id').execute();

  it('after a wipe of Redis an execution continues without a reset if its worker gets the job again', async () => {
    await started();
    const { runId, seen } = await wiped();
    const queue = openQueue('chat', agent.redis);
    await eventually(async () => expect(await queue.find(runId)).toMatchObject({ state: 'pending' }));
    const run = await agent.ended(runId);
    expect(run).toMatchObject({ attempt: 1, outcome: { data: { answer: 'first '.repeat(100).trim() } } });
    expect((await agent.runLog.read(runId, 0, 1))[0]?.seq).toBeGreaterThan(seen);
    expect(typesOf(run.events)).not.toContain('reset');
    expect(agent.providers.chat.requests).toHaveLength(1);
    expect(await turnsOf()).toEqual([{ run_id: runId }, { run_id: runId }]);
    await eventually(async () => expect(await queue.find(runId)).toMatchObject({ state: 'completed' }));
  });

  it('after a wipe of Redis a run is answered once, after a reset, if another worker gets the job', async () => {
    // Its only slot is taken, so that it cannot get the job again.
    await started({ concurrency: 1 });
    const { runId, seen } = await wiped();
    const { redisUrl, database, providers } = agent;
    const other = await startAgent({ redisUrl, database, providers });
    onTestFinished(() => other.stop());
    const run = await agent.ended(runId);
    expect(run.outcome).toMatchObject({ type: 'completed', data: { answer: 'Nodes talk [1].' } });
    expect(shownText(run.events)).toBe('Nodes talk [1].');
    // Clients continue from the numbers that they have seen.
    const entries = await agent.runLog.read(runId, seen, 1000);
    expect(typesOf(entries)).toContain('reset');
    expect(entries.at(-1)?.type).toBe('completed');
    expect(await turnsOf()).toEqual([{ run_id: runId }, { run_id: runId }]);
    await eventually(() => expect(agent.providers.chat.requests[0]).toMatchObject({ aborted: true }));
  });

  it('the log of a waiting run that Redis lost starts again with sequence numbers that clients have not seen', async () => {
    await startedWithoutPasses();
    agent.providers.chat.byDefault(answer('one two three four five six [1].', { tokenMs: 30 }));
    const runId = await acceptedLongAgo();
    await agent.db
      .updateTable('runs')
      .set({ accepted_at: new Date(Date.now() - 10_000) } as never)
      .where('id', '=', runId)
      .execute();
    const SEEN = 5;
    for (let position = SEEN; position > 0; position -= 1)
      await agent.runLog.append(runId, 0, [{ type: 'queued', data: { request_id: runId, position } }]);
    await agent.redis.del(redisKeys.runLog(runId));
    await passOver();
    await agent.ended(runId);
    const told = await agent.runLog.read(runId, SEEN, 1000);
    expect(typesOf(told).slice(0, 2)).toEqual(['queued', 'status']);
    expect(
      shownText(told.map(({ type, data }) => ({ type, data: JSON.parse(data) as unknown }) as never)),
    ).toBe('one two three four five six [1].');
  });

  it('a run is executed once although several passes enqueue it concurrently', async () => {
    await startedWithoutPasses();
    const runs = await Promise.all(Array.from({ length: 20 }, () => acceptedLongAgo()));
    const failures: unknown[] = [];
    const onFailed = (_: string, error: unknown) => failures.push(error);
    await Promise.all(Array.from({ length: 8 }, () => passOver({ onFailed })));
    expect(failures).toEqual([]);
    for (const runId of runs) expect(await agent.ended(runId)).toMatchObject({ attempt: 1 });
    expect(agent.providers.chat.requests).toHaveLength(runs.length);
    expect(await agent.db.selectFrom('messages').select('run_id').execute()).toHaveLength(2 * runs.length);
  });

  it('a run is enqueued although the repair of another one fails', async () => {
    await startedWithoutPasses();
    const broken = await acceptedLongAgo();
    await agent.redis.set(redisKeys.runLog(broken), 'no log');
    const runId = await acceptedLongAgo();
    const failed: string[] = [];
    await passOver({ onFailed: (id) => failed.push(id) });
    expect(failed).toEqual([broken]);
    expect((await agent.ended(runId)).outcome).toMatchObject({ type: 'completed' });
  });

  it('a pass that is stopped leaves the remaining runs to the next one', async () => {
    await startedWithoutPasses();
    for (let i = 0; i < 5; i += 1) await acceptedLongAgo();
    const stopping = new AbortController();
    const reconciled: string[] = [];
    const onReconciled = (id: string) => {
      reconciled.push(id);
      stopping.abort();
    };
    await passOver({ onReconciled }, stopping.signal);
    expect(reconciled).toHaveLength(1);
    await passOver({ onReconciled });
    expect(reconciled).toHaveLength(5);
  });

  it('a run is executed once although several workers reconcile', async () => {
    await started();
    const redisUrl = agent.redisUrl;
    const other = await startAgent({
      reconcileEveryMs: 200,
      redisUrl,
      database: agent.database,
      providers: agent.providers,
    });
    onTestFinished(() => other.stop());
    const runs = await Promise.all(Array.from({ length: 20 }, () => acceptedLongAgo()));
    for (const runId of runs) expect(await agent.ended(runId)).toMatchObject({ attempt: 1 });
    expect(agent.providers.chat.requests).toHaveLength(runs.length);
  });
});

it('a run whose job has failed for good ends as failed', async () => {
  await started();
  const runId = await acceptedLongAgo();
  const bull = new Queue('chat', {
    connection: agent.redis,
    prefix: redisKeys.queuePrefix('chat'),
  });
  // A job with an invalid payload fails for good, like one that has crashed too many workers.
  await bull.add('chat', { nonsense: true }, { jobId: runId });
  const { outcome } = await agent.ended(runId);
  expect(outcome).toMatchObject({ type: 'failed', data: { error_code: 'INTERNAL' } });
  const queue = openQueue('chat', agent.redis);
  expect(await queue.find(runId)).toMatchObject({ state: 'failed' });
});

it('the oldest logs of ended runs are removed above the number that is kept', async () => {
  await started();
  const [oldest, newest] = ['oldest', 'newest'];
  for (const id of [oldest, newest]) await agent.redis.set(redisKeys.runLog(id), 'log');
  const between = Array.from({ length: defaultRunLogLimits.maxEnded - 1 }, (_, i) => [
    Date.now() - 1000,
    `${i}`,
  ]);
  await agent.redis.zadd(
    redisKeys.endedLogs,
    ...[[Date.now() - 2000, oldest], ...between, [Date.now(), newest]].flat(),
  );
  await eventually(async () => expect(await agent.redis.exists(redisKeys.runLog(oldest))).toBe(0));
  expect(await agent.redis.exists(redisKeys.runLog(newest))).toBe(1);
  expect(await agent.redis.zcard(redisKeys.endedLogs)).toBe(defaultRunLogLimits.maxEnded);
});

it('a run without followers is closed after its deadline', async () => {
  await started();
  const runId = await acceptedLongAgo({ deadline_at: new Date(Date.now() - 5000) });
  const { outcome } = await agent.ended(runId);
  expect(outcome).toMatchObject({ type: 'failed', data: { error_code: 'DEADLINE_EXCEEDED' } });
  expect(agent.providers.chat.requests).toHaveLength(0);
});

it('a run whose row is locked does not keep later ones from being closed', async () => {
  await startedWithoutPasses();
  const overdue = { deadline_at: new Date(Date.now() - 5000) };
  const [locked, younger] = [await acceptedLongAgo(overdue), await acceptedLongAgo(overdue)];
  const failed: string[] = [];
  await agent.db.transaction().execute(async (transaction) => {
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(transaction);
    await transaction.selectFrom('runs').select('id').where('id', '=', locked).forUpdate().execute();
    await passOver({ onFailed: (id) => failed.push(id) });
  });
  expect(failed).toEqual([locked]);
  expect(await findRun(agent.db, younger)).toMatchObject({ outcome: { type: 'failed' } });
  expect(await findRun(agent.db, locked)).toMatchObject({ outcome: null });
  await passOver();
  expect(await findRun(agent.db, locked)).toMatchObject({ outcome: { type: 'failed' } });
});

it('a pass ends when Postgres goes away', async () => {
  await startedWithoutPasses();
  for (let i = 0; i < 3; i += 1) await acceptedLongAgo({ deadline_at: new Date(Date.now() - 5000) });
  const proxy = await startTcpProxy(agent.database.url);
  const db = openDatabase(proxy.url, createLogger('test', 'silent'), 1);
  onTestFinished(async () => {
    await db.destroy();
    await proxy.close();
  });
  const [closed, failed]: [string[], string[]] = [[], []];
  const onReconciled = (id: string) => {
    closed.push(id);
    void proxy.cut();
  };
  const pass = passOver({ onReconciled, onFailed: (id) => failed.push(id) }, undefined, db);
  await expect(pass).rejects.toThrow('Connection terminated');
  expect([closed.length, failed]).toEqual([1, []]);
});

describe('abandoned runs', () => {
  const underWay = async () => {
    agent.providers.chat.enqueue(answer('word '.repeat(2000), { tokenMs: 20 }));
    const runId = await agent.ask();
    await eventually(async () => expect((await agent.events(runId)).at(-1)?.type).toBe('delta'));
    return runId;
  };

  it('an abandoned run is cancelled after the grace', async () => {
    await started({ disconnectGraceMs: 300 });
    const runId = await underWay();
    await setAbandoned(agent.db, runId, true);
    expect((await agent.ended(runId)).outcome).toMatchObject({ type: 'cancelled' });
    await eventually(() => expect(agent.providers.chat.requests).toMatchObject([{ aborted: true }]));
  });

  it('an abandoned run that is still waiting is cancelled without a model call', async () => {
    await started({ disconnectGraceMs: 0 });
    const runId = await agent.ask({}, 60_000, { enqueue: false });
    await setAbandoned(agent.db, runId, true);
    await eventually(async () =>
      expect(await findRun(agent.db, runId)).toMatchObject({ cancelRequested: true }),
    );
    await agent.enqueue(runId);
    expect((await agent.ended(runId)).outcome).toMatchObject({ type: 'cancelled' });
    expect(agent.providers.chat.requests).toHaveLength(0);
  });

  it('an abandoned run that a worker claims before a pass is cancelled without a model call', async () => {
    const redisUrl = await testRedisUrl();
    const follower = new Redis(redisUrl);
    onTestFinished(() => follower.disconnect());
    // Keeps this worker from making a pass.
    await follower.set(redisKeys.reconciling, 'another');
    await started({ redisUrl, disconnectGraceMs: 0 });
    const [left, followed] = [
      await agent.ask({}, 60_000, { enqueue: false }),
      await agent.ask({}, 60_000, { enqueue: false }),
    ];
    await follower.subscribe(redisKeys.runChannel(followed));
    for (const runId of [left, followed]) {
      await setAbandoned(agent.db, runId, true);
      await agent.enqueue(runId);
    }
    expect((await agent.ended(left)).outcome).toMatchObject({ type: 'cancelled' });
    expect((await agent.ended(followed)).outcome).toMatchObject({ type: 'completed' });
    expect(agent.providers.chat.requests).toHaveLength(1);
  });

  it('an abandoned run continues within its grace, after its client has returned, and while it has a follower', async () => {
    const graceMs = 60_000;
    await started({ disconnectGraceMs: graceMs });
    const abandonedAt = async (runId: string) => {
      const row = agent.db.selectFrom('runs').select('abandoned_at').where('id', '=', runId);
      return (await row.executeTakeFirstOrThrow()).abandoned_at?.getTime() ?? 0;
    };
    const passGrace = async (runId: string) => {
      const long = new Date(Date.now() - 2 * graceMs);
      await agent.db.updateTable('runs').set({ abandoned_at: long }).where('id', '=', runId).execute();
    };
    const [patient, returned, followed] = [await underWay(), await underWay(), await underWay()];
    const follower = new Redis(agent.redisUrl);
    onTestFinished(() => follower.disconnect());
    await follower.subscribe(redisKeys.runChannel(followed));
    for (const runId of [returned, followed]) await setAbandoned(agent.db, runId, true);
    await setAbandoned(agent.db, returned, false);
    await setAbandoned(agent.db, patient, true);
    await passGrace(followed);
    // A pass over all three has renewed it.
    await eventually(async () => expect(await abandonedAt(followed)).toBeGreaterThan(Date.now() - graceMs));
    for (const runId of [patient, returned, followed])
      expect(await findRun(agent.db, runId)).toMatchObject({ cancelRequested: false });
    await follower.unsubscribe();
    await passGrace(followed);
    expect((await agent.ended(followed)).outcome).toMatchObject({ type: 'cancelled' });
    for (const runId of [patient, returned]) {
      await agent.cancel(runId);
      await agent.ended(runId);
    }
  });
});
