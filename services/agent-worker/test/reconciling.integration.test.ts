import { setTimeout as sleep } from 'node:timers/promises';
import { findRun, setAbandoned } from '@quire/shared/database';
import { openQueue } from '@quire/shared/jobs';
import { redisKeys } from '@quire/shared/redis';
import { answer } from '@quire/scripted-providers';
import { eventually } from '@quire/testkit';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { startAgent, type AgentOptions, type AgentUnderTest } from './agent-under-test.js';
import { shownText } from './shown-answer.js';

let agent: AgentUnderTest;
const started = async (options: AgentOptions = {}) =>
  (agent = await startAgent({ reconcileEveryMs: 200, ...options }));
afterEach(() => agent.close());

/** Accepted long enough ago for its gateway to have enqueued it, if it was ever going to. */
const acceptedLongAgo = async (change: { deadline_at?: Date } = {}) => {
  const runId = await agent.ask({}, 60_000, { enqueue: false });
  await agent.db
    .updateTable('runs')
    .set({ inserted_at: new Date(Date.now() - 10_000), ...change } as never)
    .where('id', '=', runId)
    .execute();
  return runId;
};
const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);

describe('a run that the queue does not know', () => {
  it('is enqueued and answered, with a story that begins as usual', async () => {
    await started();
    const { events, outcome, attempt } = await agent.ended(await acceptedLongAgo());
    expect(typesOf(events).slice(0, 2)).toEqual(['queued', 'status']);
    expect(outcome).toMatchObject({ type: 'completed' });
    expect(attempt).toBe(1);
  });

  it('is left to its gateway at first', async () => {
    await started();
    const runId = await agent.ask({}, 60_000, { enqueue: false });
    await sleep(600);
    expect(await findRun(agent.db, runId)).toMatchObject({ attempt: 0, outcome: null });
  });

  /** Wiped while the first answer is being written; what a client had seen by then. */
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

  it('because Redis was wiped goes on where it was, under the same numbers, if its worker gets it back', async () => {
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

  it('because Redis was wiped is answered once, and clients see a new beginning, if another worker gets it', async () => {
    // One place, which is taken: it cannot get the run back.
    await started({ concurrency: 1 });
    const { runId, seen } = await wiped();
    const { redisUrl, database, providers } = agent;
    const other = await startAgent({ redisUrl, database, providers });
    onTestFinished(() => other.stop());
    const run = await agent.ended(runId);
    expect(run.outcome).toMatchObject({ type: 'completed', data: { answer: 'Nodes talk [1].' } });
    expect(shownText(run.events)).toBe('Nodes talk [1].');
    // Whoever had seen something before the loss is not shown a number that it already knows.
    const entries = await agent.runLog.read(runId, seen, 1000);
    expect(typesOf(entries)).toContain('reset');
    expect(entries.at(-1)?.type).toBe('completed');
    expect(await turnsOf()).toEqual([{ run_id: runId }, { run_id: runId }]);
    await eventually(() => expect(agent.providers.chat.requests[0]).toMatchObject({ aborted: true }));
  });

  it('is enqueued once when several workers look at the same time', async () => {
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

it('a run that the queue has given up ends as failed', async () => {
  await started();
  const runId = await acceptedLongAgo();
  const bull = new Queue('chat', {
    connection: agent.redis,
    prefix: redisKeys.queuePrefix('chat'),
  });
  // What the worker cannot read fails for good, as does a job that has lost its workers too often.
  await bull.add('chat', { nonsense: true }, { jobId: runId });
  const { outcome } = await agent.ended(runId);
  expect(outcome).toMatchObject({ type: 'failed', data: { error_code: 'INTERNAL' } });
  const queue = openQueue('chat', agent.redis);
  expect(await queue.find(runId)).toMatchObject({ state: 'failed' });
});

it('a run that nobody follows is closed when its time is over', async () => {
  await started();
  const runId = await acceptedLongAgo({ deadline_at: new Date(Date.now() - 5000) });
  const { outcome } = await agent.ended(runId);
  expect(outcome).toMatchObject({ type: 'failed', data: { error_code: 'DEADLINE_EXCEEDED' } });
  expect(agent.providers.chat.requests).toHaveLength(0);
});

describe('a run that its client has left', () => {
  const underWay = async () => {
    agent.providers.chat.enqueue(answer('word '.repeat(400), { tokenMs: 20 }));
    const runId = await agent.ask();
    await eventually(async () => expect((await agent.events(runId)).at(-1)?.type).toBe('delta'));
    return runId;
  };

  it('is cancelled after the grace', async () => {
    await started({ disconnectGraceMs: 300 });
    const runId = await underWay();
    await setAbandoned(agent.db, runId, true);
    expect((await agent.ended(runId)).outcome).toMatchObject({ type: 'cancelled' });
    await eventually(() => expect(agent.providers.chat.requests).toMatchObject([{ aborted: true }]));
  });

  it('costs no model call if it was still waiting', async () => {
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

  it('goes on within the grace, after a return, and while somebody else follows it', async () => {
    await started({ disconnectGraceMs: 400 });
    const [patient, returned, followed] = [await underWay(), await underWay(), await underWay()];
    const follower = new Redis(agent.redisUrl);
    onTestFinished(() => follower.disconnect());
    await follower.subscribe(redisKeys.runChannel(followed));
    for (const runId of [returned, followed]) await setAbandoned(agent.db, runId, true);
    await setAbandoned(agent.db, returned, false);
    await sleep(1200);
    await setAbandoned(agent.db, patient, true);
    for (const runId of [patient, returned, followed])
      expect(await findRun(agent.db, runId)).toMatchObject({ cancelRequested: false });
    await follower.unsubscribe();
    expect((await agent.ended(followed)).outcome).toMatchObject({ type: 'cancelled' });
    await agent.cancel(returned);
    for (const runId of [patient, returned]) await agent.ended(runId);
  });
});
