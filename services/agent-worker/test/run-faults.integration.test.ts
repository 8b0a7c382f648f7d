import { claimRun, findRun, finishRun } from '@quire/shared/database';
import { DependencyUnavailable } from '@quire/shared/errors';
import { openQueue } from '@quire/shared/jobs';
import { redisKeys } from '@quire/shared/redis';
import { answer, stallAfter, toolCall } from '@quire/scripted-providers';
import { createTestDatabase, eventually, startTcpProxy } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { afterEach, expect, it } from 'vitest';
import { startAgent, type AgentOptions, type AgentUnderTest } from './agent-under-test.js';
import { foundPassages } from './found-passages.js';
import { responseOf, shownText } from './shown-answer.js';

/** Longer than a few quick retries of the commit. */
const RESTART_MS = 4000;
let agent: AgentUnderTest | undefined;
const started = async (options?: AgentOptions) => (agent = await startAgent(options));
afterEach(async () => {
  await agent?.close();
  agent = undefined;
});

it('a run fails if retrieval is unavailable, without a retry of the whole run', async () => {
  const { ask, ended, retrieve, redis } = await started();
  let tries = 0;
  retrieve(() => {
    tries += 1;
    return Promise.reject(new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The index is not reachable'));
  });
  const runId = await ask();
  const { outcome, attempt } = await ended(runId);
  expect(outcome).toMatchObject({
    type: 'failed',
    data: { error_code: 'RETRIEVAL_UNAVAILABLE', retry_after: expect.any(Number) },
  });
  expect({ tries, attempt }).toEqual({ tries: 3, attempt: 1 });
  const queue = openQueue('chat', redis);
  await eventually(async () => {
    expect(await queue.find(runId)).toEqual({
      state: 'failed',
      reason: expect.stringMatching(/^RETRIEVAL_UNAVAILABLE/),
    });
  });
  await queue.close();
});

it('a run whose deadline has passed fails without a model call', async () => {
  const { ask, ended, providers } = await started();
  const { outcome } = await ended(await ask({}, -1));
  expect(outcome).toMatchObject({ type: 'failed', data: { error_code: 'DEADLINE_EXCEEDED' } });
  expect(providers.chat.requests).toHaveLength(0);
});

it('the first execution of a run whose log was lost uses sequence numbers that clients have not seen', async () => {
  const { ask, ended, enqueue, redis, runLog } = await started();
  const runId = await ask({}, 60_000, { enqueue: false });
  const places = [3, 2, 1].map((position) => ({
    type: 'queued' as const,
    data: { request_id: runId, position },
  }));
  const shown = await runLog.append(runId, 0, places);
  await redis.del(redisKeys.runLog(runId));
  await enqueue(runId);
  await ended(runId);
  const [first] = await runLog.read(runId, 0, 1);
  expect(first?.seq).toBeGreaterThan(shown + 1);
});

it('a model call ends early enough to commit the sources before the deadline', async () => {
  const { ask, ended, providers } = await started();
  providers.chat.enqueue(stallAfter(2, 'Nodes talk a lot.'));
  const { outcome, events, deadlineAt } = await ended(await ask({}, 2500));
  expect(outcome).toMatchObject({
    type: 'completed',
    data: { answer: null, metadata: { mode: 'retrieval_only', degraded_reason: 'model_overdue' } },
  });
  expect(shownText(events)).toBe('');
  const { timestamp } = responseOf(outcome);
  expect(Date.parse(timestamp)).toBeLessThan(deadlineAt.getTime());
  await eventually(() => expect(providers.chat.requests).toMatchObject([{ aborted: true }]));
});

it('a hanging search of the model ends early enough to commit the sources before the deadline', async () => {
  const { ask, ended, providers, retrieve } = await started();
  let searches = 0;
  retrieve((_payload, { signal }) => {
    searches += 1;
    if (searches === 1) return Promise.resolve(foundPassages());
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  });
  providers.chat.enqueue(toolCall('search_book_content', { query: 'more' }));
  const { outcome, deadlineAt } = await ended(await ask({}, 2500));
  const response = responseOf(outcome);
  expect(Date.parse(response.timestamp)).toBeLessThan(deadlineAt.getTime());
  expect(response).toMatchObject({
    answer: null,
    sources: [{ marker: 1 }, { marker: 2 }, { marker: 3 }],
    metadata: { mode: 'retrieval_only', degraded_reason: 'model_overdue' },
  });
});

it('an answer that Postgres did not store is never announced, and the run is retried', async () => {
  const database = await createTestDatabase();
  const proxy = await startTcpProxy(database.url);
  const { ask, events, providers, db, ended } = await started({ databaseUrl: proxy.url, database });
  providers.chat.byDefault(async () => {
    await proxy.cut();
    return answer('Lost [1].');
  });
  const runId = await ask();
  const queue = openQueue('chat', agent?.redis as Redis);
  // The job has failed once and waits for its retry.
  await eventually(async () => expect(await queue.counts()).toMatchObject({ active: 0, delayed: 1 }));
  await queue.close();
  expect((await events(runId)).map((event) => event.type)).not.toContain('completed');
  expect((await findRun(db, runId))?.outcome).toBeNull();
  providers.chat.byDefault(answer('Nodes talk [1].'));
  await proxy.restore();
  const run = await ended(runId);
  expect(run.attempt).toBeGreaterThan(1);
  expect(run.outcome).toMatchObject({ type: 'completed', data: { answer: 'Nodes talk [1].' } });
  expect(run.events.filter((event) => event.type === 'completed')).toHaveLength(1);
  await proxy.close();
});

it('an answer is committed after a restart of Postgres without another model call', async () => {
  const database = await createTestDatabase();
  const proxy = await startTcpProxy(database.url);
  const { ask, providers, ended } = await started({ databaseUrl: proxy.url, database });
  providers.chat.byDefault(answer('Nodes talk [1].'));
  providers.chat.enqueue(async () => {
    await proxy.cut();
    setTimeout(() => void proxy.restore(), RESTART_MS);
    return answer('Nodes talk [1].');
  });
  const run = await ended(await ask());
  expect(run).toMatchObject({
    attempt: 1,
    outcome: { type: 'completed', data: { answer: 'Nodes talk [1].' } },
  });
  expect(run.events.map((event) => event.type)).not.toContain('reset');
  expect(providers.chat.requests).toHaveLength(1);
  await proxy.close();
});

it('a run fails long before its deadline if no worker serves retrieval', async () => {
  const { ask, ended, retrieve } = await started({ retrievalTimeoutMs: 300 });
  retrieve((_payload, { signal }) => {
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  });
  const { outcome } = await ended(await ask());
  expect(outcome).toMatchObject({ type: 'failed', data: { error_code: 'RETRIEVAL_UNAVAILABLE' } });
});

it('an outcome that was committed but not announced is announced without another model call', async () => {
  const { ask, ended, db, providers, redis, enqueue, events } = await started();
  const runId = await ask();
  const { outcome } = await ended(runId);
  await redis.flushdb();
  providers.reset();
  await enqueue(runId);
  await eventually(async () =>
    expect((await events(runId)).map((event) => event.type)).toEqual(['completed']),
  );
  expect((await findRun(db, runId))?.outcome).toEqual(outcome);
  expect(providers.chat.requests).toHaveLength(0);
});

it('an execution stops its model call and commits nothing after a later attempt took the run over', async () => {
  const { ask, db, providers, runLog, events, takeOver } = await started();
  providers.chat.enqueue(answer('word '.repeat(400), { tokenMs: 20 }));
  const runId = await ask();
  await eventually(async () => expect((await events(runId)).at(-1)?.type).toBe('delta'));
  const later = await takeOver(runId);
  expect(later?.attempt).toBe(2);
  await runLog.append(runId, 2, [
    { type: 'reset', data: { request_id: runId, attempt: 2, reason: 'taken_over' } },
  ]);
  await eventually(() => expect(providers.chat.requests).toMatchObject([{ aborted: true }]));
  const logged = await events(runId);
  expect(logged.at(-1)?.type).toBe('reset');
  expect((await findRun(db, runId))?.outcome).toBeNull();
});

it('a run is executed again if the claim that superseded its execution has no worker', async () => {
  const { ask, db, providers, ended, events } = await started({ reconcileEveryMs: 200 });
  providers.chat.enqueue(answer('word '.repeat(400), { tokenMs: 20 }));
  providers.chat.byDefault(answer('Nodes talk [1].'));
  const runId = await ask();
  await eventually(async () => expect((await events(runId)).at(-1)?.type).toBe('delta'));
  await claimRun(db, runId);
  const run = await ended(runId);
  expect(run).toMatchObject({ attempt: 3, outcome: { type: 'completed' } });
  expect(shownText(run.events)).toBe('Nodes talk [1].');
  expect(run.events.filter((event) => event.type === 'completed')).toHaveLength(1);
  expect(providers.chat.requests).toMatchObject([{ aborted: true }, { aborted: false }]);
});

it('an execution does not overwrite the outcome of a run that was closed meanwhile', async () => {
  const { ask, db, providers, ended } = await started();
  let runId = '';
  providers.chat.byDefault(async () => {
    await finishRun(db, runId, {
      type: 'failed',
      data: { request_id: runId, error_code: 'DEADLINE_EXCEEDED', message: 'closed by the gateway' },
    });
    return answer('Too late [1].');
  });
  runId = await ask();
  const run = await ended(runId);
  expect(run.outcome).toMatchObject({ type: 'failed', data: { message: 'closed by the gateway' } });
  const messages = await db.selectFrom('messages').select('seq').execute();
  expect(messages).toHaveLength(0);
});
