import { randomUUID } from 'node:crypto';
import { announceCancel } from '@quire/shared/cancellation';
import { deletedOutcome, deleteThread, findThread, openThread } from '@quire/shared/database';
import { FairOrder, openQueue } from '@quire/shared/jobs';
import { answer, stallAfter } from '@quire/scripted-providers';
import { redisKeys } from '@quire/shared/redis';
import { eventually, testRedisUrl } from '@quire/testkit';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reconcileRuns } from '../src/reconciliation/reconcile-runs.js';
import { startAgent, type AgentOptions, type AgentUnderTest } from './agent-under-test.js';
import { wordsOf } from './shown-answer.js';

async function agentForTest(options: AgentOptions = {}): Promise<AgentUnderTest> {
  const agent = await startAgent(options);
  onTestFinished(() => agent.close());
  return agent;
}

it('50 concurrent questions of one thread are stored as whole turns with consecutive numbers', async () => {
  const agent = await agentForTest();
  agent.providers.chat.byDefault(({ messages }) => {
    const asked = /<question[^>]*>\n(.*)\n/.exec(messages.map(wordsOf).join('\n'))?.[1] ?? '';
    return answer(`Answer to ${asked} [1].`);
  });
  const { redisUrl, database, providers } = agent;
  const second = await startAgent({ redisUrl, database, providers });
  onTestFinished(() => second.stop());
  const session_id = randomUUID();
  const questions = Array.from({ length: 50 }, (_, n) => `Question ${n + 1}?`);
  const runs = await Promise.all(questions.map((message) => agent.ask({ message, session_id })));
  await Promise.all(runs.map((runId) => agent.ended(runId)));

  const owner = { threadId: session_id, tenant: 'local' };
  const whole = await openThread(agent.db, owner, { includeArchived: true });
  const messages = whole?.messages ?? [];
  expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  expect(messages.map(({ role }) => role)).toEqual(questions.flatMap(() => ['user', 'assistant']));
  const times = messages.map(({ created_at }) => created_at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  for (let n = 0; n < 100; n += 2) {
    const [question, reply] = [messages[n], messages[n + 1]];
    expect(reply?.run_id).toBe(question?.run_id);
    expect(runs[questions.indexOf(question?.content ?? '')]).toBe(question?.run_id);
    expect(reply?.content).toBe(`Answer to ${question?.content} [1].`);
  }
  expect(new Set(messages.map(({ run_id }) => run_id)).size).toBe(50);
  const active = await openThread(agent.db, owner, { includeArchived: false });
  expect(active?.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, n) => n + 51));
});

it('concurrent questions of two tenants with one new session_id each see only the history of their own tenant', async () => {
  const agent = await agentForTest();
  agent.providers.chat.byDefault(({ messages }) => {
    const asked = /<question[^>]*>\n(.*)\n/.exec(messages.map(wordsOf).join('\n'))?.[1] ?? '';
    return answer(`Answer to ${asked} [1].`);
  });
  const { redisUrl, database, providers } = agent;
  const second = await startAgent({ redisUrl, database, providers });
  onTestFinished(() => second.stop());
  const session_id = randomUUID();
  const tenants = ['acme', 'umbrella'];
  const askOf = async (tenant: string, message: string) => {
    const { outcome } = await agent.ended(await agent.ask({ message, session_id }, 60_000, { tenant }));
    expect(outcome?.type).toBe('completed');
  };
  const atOnce = tenants.flatMap((tenant) =>
    Array.from({ length: 5 }, (_, n) => askOf(tenant, `Question ${n} of ${tenant}?`)),
  );
  await Promise.all(atOnce);
  for (const [tenant, other] of [tenants, tenants.toReversed()] as [string, string][]) {
    await askOf(tenant, `Follow-up of ${tenant}?`);
    // Requests for the summary of the other thread are left out.
    const sent = providers.chat.requests
      .map(({ body }) => body.messages.map(wordsOf).join('\n'))
      .filter((text) => text.includes(`Follow-up of ${tenant}?`))
      .join('\n');
    expect(sent).toContain(`Reader: Question`);
    expect(sent).not.toContain(`of ${other}?`);
    const thread = await openThread(agent.db, { threadId: session_id, tenant }, { includeArchived: true });
    expect(thread?.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    const foreign = thread?.messages.filter(({ content }) => !content.includes(`of ${tenant}?`));
    expect(foreign).toEqual([]);
  }
});

describe('archival of idle threads', () => {
  const used = async (agent: AgentUnderTest) => {
    const session = randomUUID();
    await agent.ended(await agent.ask({ session_id: session }));
    return session;
  };
  const statusOf = async (agent: AgentUnderTest, threadId: string) =>
    (await findThread(agent.db, { threadId, tenant: 'local' }))?.status;
  const idleFor = (agent: AgentUnderTest, id: string, minutes: number) =>
    sql`UPDATE threads SET updated_at = now() - make_interval(mins => ${minutes}) WHERE id = ${id}`.execute(
      agent.db,
    );

  it('an idle thread is archived, and its next question makes it active again', async () => {
    const agent = await agentForTest({ archiveEveryMs: 100 });
    const { redisUrl, database, providers } = agent;
    const second = await startAgent({ redisUrl, database, providers, archiveEveryMs: 100 });
    onTestFinished(() => second.stop());
    const [idle, busy] = [await used(agent), await used(agent)];
    await idleFor(agent, idle, 61);
    await idleFor(agent, busy, 59);
    await eventually(async () => expect(await statusOf(agent, idle)).toBe('archived'));
    expect(await statusOf(agent, busy)).toBe('active');
    await agent.ended(await agent.ask({ session_id: idle }));
    await idleFor(agent, busy, 61);
    await eventually(async () => expect(await statusOf(agent, busy)).toBe('archived'));
    expect(await statusOf(agent, idle)).toBe('active');
  });

  it('a thread is archived after the configured idle time', async () => {
    const agent = await agentForTest({ archiveEveryMs: 100, threadIdleMs: 1000 });
    const session = await used(agent);
    expect(await statusOf(agent, session)).toBe('active');
    await eventually(async () => expect(await statusOf(agent, session)).toBe('archived'));
  });
});

describe('runs of a deleted thread', () => {
  /** As the gateway does it where the worker has not stopped in time. */
  const deleteUnder = async (agent: AgentUnderTest, threadId: string) => {
    const owner = { threadId, tenant: 'local' };
    return agent.db.transaction().execute((transaction) => deleteThread(transaction, owner));
  };
  const left = async (agent: AgentUnderTest, runId: string, threadId: string) => ({
    thread: await findThread(agent.db, { threadId, tenant: 'local' }),
    bookedUnderItsName: await agent.db
      .selectFrom('model_usage')
      .selectAll()
      .where('run_id', '=', runId)
      .execute(),
  });
  const outcomeOfJob = async (agent: AgentUnderTest, runId: string) => {
    const queue = openQueue('chat', agent.redis);
    onTestFinished(() => queue.close());
    return eventually(async () => {
      const job = await queue.find(runId);
      expect(job.state).not.toBe('pending');
      return job;
    });
  };
  const spentTokens = async (agent: AgentUnderTest) =>
    (await agent.db.selectFrom('model_usage').select('prompt_tokens').execute()).map(
      ({ prompt_tokens }) => prompt_tokens,
    );

  it('a run whose thread is deleted stores no turn and books its spend once, without its id', async () => {
    const agent = await agentForTest({ models: 'first' });
    const session = randomUUID();
    const usage = { usage: { promptTokens: 700, completionTokens: 7 } };
    agent.providers.chat.byDefault(async () => {
      await deleteUnder(agent, session);
      return answer('So [1].', usage);
    });
    const runId = await agent.ask({ session_id: session });
    expect(await outcomeOfJob(agent, runId)).toEqual({ state: 'completed', result: { outcome: 'deleted' } });
    expect(await left(agent, runId, session)).toEqual({ thread: undefined, bookedUnderItsName: [] });
    expect(await spentTokens(agent)).toEqual([700]);
  });

  it('a run whose thread is deleted stops its answer when the cancellation arrives', async () => {
    const agent = await agentForTest({ models: 'first' });
    const session = randomUUID();
    agent.providers.chat.byDefault(stallAfter(3, 'Nodes exchange messages on topics [1].'));
    const runId = await agent.ask({ session_id: session });
    await eventually(async () => expect(JSON.stringify(await agent.events(runId))).toContain('Nodes'));
    const [run] = (await deleteUnder(agent, session)) ?? [];
    if (run) await agent.runLog.bury([{ ...run, end: deletedOutcome(runId) }]);
    await announceCancel(agent.redis, runId);
    expect(await outcomeOfJob(agent, runId)).toEqual({ state: 'completed', result: { outcome: 'deleted' } });
    expect(await left(agent, runId, session)).toEqual({ thread: undefined, bookedUnderItsName: [] });
    expect(JSON.stringify(await agent.events(runId))).not.toContain('Nodes');
    expect(await spentTokens(agent)).toHaveLength(1);
  });

  it('the job of a run whose thread was deleted ends without effect', async () => {
    const agent = await agentForTest();
    const session = randomUUID();
    const runId = await agent.ask({ session_id: session }, 60_000, { enqueue: false });
    await deleteUnder(agent, session);
    await agent.enqueue(runId);
    expect(await outcomeOfJob(agent, runId)).toEqual({ state: 'completed', result: { outcome: 'unknown' } });
    expect(await agent.events(runId)).toEqual([]);
  });

  it('the reconciler does not enqueue a run that is deleted during its pass', async () => {
    const redisUrl = await testRedisUrl();
    const redis = new Redis(redisUrl);
    onTestFinished(() => redis.disconnect());
    // Keeps the worker's own reconciler from making a pass.
    await redis.set(redisKeys.reconciling, 'this test');
    const agent = await agentForTest({ redisUrl });
    const session = randomUUID();
    const runId = await agent.ask({ session_id: session }, 60_000, { enqueue: false });
    await sql`UPDATE runs SET inserted_at = now() - interval '10 seconds'`.execute(agent.db);
    const queue = openQueue('chat', agent.redis);
    onTestFinished(() => queue.close());
    const statesOf = async (runIds: readonly string[]) => {
      await deleteUnder(agent, session);
      return queue.statesOf(runIds);
    };
    const reconciled: string[] = [];
    const { db, runLog } = agent;
    const deps = { db, runLog, queue: { ...queue, statesOf }, fairOrder: new FairOrder(agent.redis) };
    await reconcileRuns(deps, {
      onReconciled: (id) => reconciled.push(id),
      onFailed: (_, error) => expect.fail(String(error)),
    });
    expect(reconciled).toEqual([]);
    expect(await queue.find(runId)).toEqual({ state: 'missing' });
    expect(await agent.events(runId)).toEqual([]);
  });
});
