import { claimRun, findRun, recordUsage } from '@quire/shared/database';
import { openQueue } from '@quire/shared/jobs';
import { answer, stallAfter } from '@quire/scripted-providers';
import { createTestDatabase, eventually, startTcpProxy, type TcpProxy } from '@quire/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startAgent, type AgentUnderTest } from './agent-under-test.js';

const PRICES = { first: { input: 1000, output: 2000 } };
let agent: AgentUnderTest;
beforeEach(async () => {
  agent = await startAgent({ prices: PRICES, idleMs: 120_000 });
});
afterEach(() => agent.close());

const streaming = async () => {
  agent.providers.chat.enqueue(stallAfter(5, 'Nodes talk a lot about all kinds of things [1].'));
  const runId = await agent.ask();
  await eventually(async () => expect((await agent.events(runId)).at(-1)?.type).toBe('delta'));
  return runId;
};
const aborted = () =>
  eventually(() => expect(agent.providers.chat.requests).toMatchObject([{ aborted: true }]));
const bookedFor = (runId: string) =>
  agent.db.selectFrom('model_usage').selectAll().where('run_id', '=', runId).execute();

describe('cancellation', () => {
  it('a cancelled run ends its model call and reports its tokens', async () => {
    const runId = await streaming();
    await agent.cancel(runId);
    const { outcome, events } = await agent.ended(runId);
    await aborted();
    expect(outcome).toMatchObject({ type: 'cancelled', data: { request_id: runId } });
    const { tokens_used: tokens } = (
      outcome as { data: { tokens_used: { prompt: number; completion: number } } }
    ).data;
    expect(tokens.prompt).toBeGreaterThan(100);
    expect(tokens.completion).toBeGreaterThan(0);
    expect(events.at(-1)?.type).toBe('cancelled');
    expect(await bookedFor(runId)).toMatchObject([
      { attempt: 1, model: 'first', tenant: 'local', prompt_tokens: tokens.prompt, estimated: true },
    ]);
    const messages = await agent.db.selectFrom('messages').select('seq').execute();
    expect(messages).toHaveLength(0);
  });

  it('a run that is cancelled before its first execution causes no model call', async () => {
    const runId = await agent.ask({}, 60_000, { enqueue: false });
    await agent.cancel(runId);
    await agent.enqueue(runId);
    const { outcome } = await agent.ended(runId);
    expect(outcome).toEqual({
      type: 'cancelled',
      data: { request_id: runId, tokens_used: { prompt: 0, completion: 0, total: 0 } },
    });
    expect(agent.providers.chat.requests).toHaveLength(0);
  });

  it('a cancelled run reports the tokens of earlier executions, too', async () => {
    const runId = await agent.ask({}, 60_000, { enqueue: false });
    const spent = { model: 'first', calls: 1, estimated: false, costUsd: undefined };
    const tokens = { prompt: 40, completion: 2, total: 42 };
    await claimRun(agent.db, runId);
    await recordUsage(agent.db, { id: runId, attempt: 1, tenant: 'local' }, [{ ...spent, tokens }]);
    await agent.cancel(runId);
    await agent.enqueue(runId);
    const { outcome } = await agent.ended(runId);
    expect(outcome).toEqual({ type: 'cancelled', data: { request_id: runId, tokens_used: tokens } });
  });

  it('a cancelled run books its spend although Postgres fails to return the earlier spend', async () => {
    const runId = await streaming();
    await agent.db.transaction().execute(async (transaction) => {
      await sql`LOCK TABLE model_usage`.execute(transaction);
      await agent.cancel(runId);
      await eventually(async () => {
        const { rows } = await sql`
          SELECT pg_cancel_backend(pid) FROM pg_stat_activity
          WHERE wait_event_type = 'Lock' AND datname = current_database()`.execute(transaction);
        expect(rows).toHaveLength(1);
      });
    });
    const { outcome, attempt } = await agent.ended(runId);
    const [booked] = await bookedFor(runId);
    expect(booked).toMatchObject({ attempt: 1, model: 'first' });
    expect(attempt).toBe(2);
    expect(outcome).toMatchObject({
      type: 'cancelled',
      data: { tokens_used: { prompt: booked?.prompt_tokens } },
    });
  });

  it('a run that is cancelled while it searches calls no model', async () => {
    let searching = false;
    agent.retrieve((_, { signal }) => {
      searching = true;
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    });
    const runId = await agent.ask();
    await eventually(() => expect(searching).toBe(true));
    await agent.cancel(runId);
    expect((await agent.ended(runId)).outcome).toMatchObject({ type: 'cancelled' });
    expect(agent.providers.chat.requests).toHaveLength(0);
  });

  it('a run that has ended keeps its outcome when it is cancelled', async () => {
    agent.providers.chat.enqueue(answer('Nodes talk [1].'));
    const runId = await agent.ask();
    await agent.ended(runId);
    await agent.cancel(runId);
    expect((await findRun(agent.db, runId))?.outcome).toMatchObject({ type: 'completed' });
  });
});

it('a worker that stops ends its model call, books the spend and hands the run back', async () => {
  const runId = await streaming();
  await agent.stop();
  await aborted();
  expect((await findRun(agent.db, runId))?.outcome).toBeNull();
  expect(await bookedFor(runId)).toMatchObject([{ attempt: 1, model: 'first' }]);
});

describe('stopping without Postgres', () => {
  let proxy: TcpProxy;
  beforeEach(async () => {
    await agent.close();
    const database = await createTestDatabase();
    proxy = await startTcpProxy(database.url);
    onTestFinished(() => proxy.close());
    agent = await startAgent({ database, databaseUrl: proxy.url, idleMs: 120_000 });
  });
  const expectHandedBack = async () => {
    const queue = openQueue('chat', agent.redis);
    expect(await queue.counts()).toMatchObject({ waiting: 1, active: 0 });
    await queue.close();
  };

  it('a worker that stops while Postgres hangs hands the run back', async () => {
    await streaming();
    proxy.pause();
    await agent.stop();
    await expectHandedBack();
  });

  it('a worker that stops while a commit waits for Postgres hands the run back', async () => {
    agent.providers.chat.enqueue(async () => {
      await proxy.cut();
      return answer('Nodes talk [1].');
    });
    const runId = await agent.ask();
    await eventually(async () => expect((await agent.events(runId)).at(-1)?.type).toBe('delta'));
    await agent.stop();
    await expectHandedBack();
  });
});

it('a superseded execution ends its model call, even a silent one, and books its own spend', async () => {
  const runId = await streaming();
  // The model is silent, so that no append is refused.
  await agent.takeOver(runId);
  await aborted();
  await eventually(async () => expect(await bookedFor(runId)).toMatchObject([{ attempt: 1 }]));
});
