import { randomUUID } from 'node:crypto';
import { claimRun, findRun, finishRun, giveFeedback } from '@quire/shared/database';
import { openQueue } from '@quire/shared/jobs';
import { redisKeys } from '@quire/shared/redis';
import { RunEnded } from '@quire/shared/run-log';
import { collectEvents, eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import {
  completed,
  deltas,
  startGateway,
  type GatewayOptions,
  type GatewayUnderTest,
} from './gateway-under-test.js';
import { playAgent, SPENT } from './play-agent.js';
import { answered } from './thread-turns.js';

async function gatewayForTest(options: GatewayOptions = {}): Promise<GatewayUnderTest> {
  const gateway = await startGateway(options);
  onTestFinished(() => gateway.close());
  return gateway;
}

const remove = async (gateway: GatewayUnderTest, threadId: string) =>
  (await gateway.send('DELETE', `/threads/${threadId}`)).status;
const logOf = async (gateway: GatewayUnderTest, runId: string) =>
  (await gateway.runLog.read(runId, 0, 100)).map(({ type }) => type);
const threadsLeft = (gateway: GatewayUnderTest) => gateway.db.selectFrom('threads').select('id').execute();

async function underWay(gateway: GatewayUnderTest, session_id: string) {
  const stream = await gateway.post('/chat/stream', { message: 'Hi', session_id });
  return { stream, runId: stream.headers.get('x-request-id') ?? '' };
}

it('a deletion removes the thread, its messages, runs, feedback and the content of their logs, and their addresses are 404', async () => {
  const gateway = await gatewayForTest();
  const { threadId, runId } = await answered(gateway.db);
  await answered(gateway.db, { threadId });
  const other = await answered(gateway.db);
  for (const id of [runId, other.runId]) await gateway.runLog.append(id, 1, [completed(id)]);
  await giveFeedback(gateway.db, { runId, tenant: 'local', caller: 'local', rating: 'up', comment: 'Good' });
  expect(await remove(gateway, threadId)).toBe(204);

  for (const table of ['threads', 'runs', 'messages', 'feedback'] as const) {
    const rows = JSON.stringify(await gateway.db.selectFrom(table).selectAll().execute());
    expect(rows).not.toContain(threadId);
    expect(rows).not.toContain(runId);
  }
  expect(await logOf(gateway, runId)).toEqual(['cancelled']);
  expect(await logOf(gateway, other.runId)).toEqual(['completed']);
  for (const path of [
    `/threads/${threadId}`,
    `/history/${threadId}`,
    `/chat/${runId}`,
    `/chat/${runId}/stream`,
  ])
    expect((await gateway.get(path)).status).toBe(404);
  expect((await gateway.get(`/threads/${other.threadId}`)).status).toBe(200);
  expect(await remove(gateway, threadId)).toBe(404);
});

it('a deletion marks the append-only file of Redis for compaction', async () => {
  const gateway = await gatewayForTest();
  const { threadId } = await answered(gateway.db);
  expect(await gateway.redis.get(redisKeys.deletionsToCompact)).toBeNull();
  expect(await remove(gateway, threadId)).toBe(204);
  expect(await gateway.redis.get(redisKeys.deletionsToCompact)).toBe('1');
});

it('a deletion cancels a queued run of the thread', async () => {
  const gateway = await gatewayForTest();
  const session = randomUUID();
  const { stream, runId } = await underWay(gateway, session);
  expect(await remove(gateway, session)).toBe(204);
  expect((await collectEvents(stream)).map(({ event }) => event)).toEqual(['queued', 'cancelled']);
  const queue = openQueue('chat', gateway.redis);
  onTestFinished(() => queue.close());
  expect(await queue.find(runId)).toEqual({ state: 'missing' });
  expect(await findRun(gateway.db, runId)).toBeUndefined();
  expect(await logOf(gateway, runId)).toEqual(['cancelled']);
});

it('a deletion cancels an executing run of the thread, whose worker reports what it has spent', async () => {
  const gateway = await gatewayForTest();
  const agent = await playAgent(gateway.redisUrl, gateway.db);
  const session = randomUUID();
  await answered(gateway.db, { threadId: session });
  const { stream, runId } = await underWay(gateway, session);
  await eventually(() => expect(agent.claimed).toContain(runId));
  expect(await remove(gateway, session)).toBe(204);
  const end = (await collectEvents(stream)).at(-1);
  expect(end?.event).toBe('cancelled');
  expect(JSON.parse(end?.data ?? '')).toEqual({ request_id: runId, tokens_used: SPENT });
  expect(await findRun(gateway.db, runId)).toBeUndefined();
  expect(await threadsLeft(gateway)).toEqual([]);
});

it('a deletion waits a limited time for a worker that does not stop, and what the worker writes later is refused', async () => {
  const gateway = await gatewayForTest();
  const session = randomUUID();
  const { stream, runId } = await underWay(gateway, session);
  const run = await claimRun(gateway.db, runId);
  await gateway.runLog.append(runId, 1, deltas(runId, 'Nodes '));
  expect(await remove(gateway, session)).toBe(204);
  expect((await collectEvents(stream)).at(-1)?.event).toBe('cancelled');
  await expect(gateway.runLog.append(runId, run?.attempt ?? 0, deltas(runId, 'talk'))).rejects.toThrow(
    RunEnded,
  );
  expect(await finishRun(gateway.db, runId, completed(runId))).toBe(false);
  expect(JSON.stringify(await gateway.runLog.read(runId, 0, 100))).not.toContain('Nodes');
  expect((await gateway.get(`/chat/${runId}`)).status).toBe(404);
});

it('a stream of a run ends after both its row and its log were lost', async () => {
  const gateway = await gatewayForTest({ deadlineMs: 100 });
  const session = randomUUID();
  const { stream, runId } = await underWay(gateway, session);
  await gateway.db.deleteFrom('runs').where('id', '=', runId).execute();
  await gateway.redis.del(redisKeys.runLog(runId));
  expect((await collectEvents(stream)).at(-1)?.event).toBe('cancelled');
});

it('a deletion is refused while Redis is not reachable, and nothing is deleted', async () => {
  const proxy = await startTcpProxy(await testRedisUrl());
  onTestFinished(() => proxy.close());
  const gateway = await gatewayForTest({ redisUrl: proxy.url });
  const { threadId } = await answered(gateway.db);
  await proxy.cut();
  await eventually(async () => expect(await remove(gateway, threadId)).toBe(503));
  expect((await gateway.get(`/threads/${threadId}`)).status).toBe(200);
});
