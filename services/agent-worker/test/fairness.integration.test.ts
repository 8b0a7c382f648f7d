import { randomUUID } from 'node:crypto';
import { insertRuns, type NewRun } from '@quire/shared/database';
import { openQueue } from '@quire/shared/jobs';
import { redisKeys } from '@quire/shared/redis';
import { answer } from '@quire/scripted-providers';
import { eventually } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { startAgent, type AgentOptions } from './agent-under-test.js';

const CONCURRENCY = 4;
const MODEL_MS = 40;

const started = async (options: AgentOptions = {}) => {
  const agent = await startAgent({ concurrency: CONCURRENCY, ...options });
  onTestFinished(() => agent.close());
  agent.providers.chat.byDefault(answer('Nodes talk [1].', { firstTokenMs: MODEL_MS }));
  return agent;
};
/** The questions in the order in which the model was asked them. */
const begun = (agent: Awaited<ReturnType<typeof startAgent>>) =>
  agent.providers.chat.requests.map(({ body }) => /question-[ab]\d*/.exec(JSON.stringify(body))?.[0] ?? '');

it("with 500 of one tenant in the line, another's question begins within a few of them", async () => {
  const agent = await started();
  await Promise.all(
    Array.from({ length: 500 }, (_, i) => agent.ask({ message: `question-a${i}` }, 600_000, { tenant: 'a' })),
  );
  await eventually(() => expect(begun(agent).length).toBeGreaterThan(10), { timeoutMs: 20_000 });
  const before = begun(agent).length;
  // Workers say where the line is, so that who comes now does not begin at its start.
  expect(Number(await agent.redis.get(redisKeys.presentTurn))).toBeGreaterThan(5);
  const runId = await agent.ask({ message: 'question-b' }, 600_000, { tenant: 'b' });
  await eventually(() => expect(begun(agent)).toContain('question-b'), { timeoutMs: 60_000 });
  // Those on their way to the model when it came, and one more round while it was on its own.
  expect(begun(agent).indexOf('question-b') - before).toBeLessThanOrEqual(3 * CONCURRENCY);
  expect((await agent.ended(runId)).outcome).toMatchObject({ type: 'completed' });
  const queue = openQueue('chat', agent.redis);
  expect(await queue.waitingCount()).toBeGreaterThan(300);
}, 120_000);

it('runs that are enqueued again after Redis was wiped take turns as well', async () => {
  const agent = await started({ reconcileEveryMs: 200 });
  const before = Date.now() - 10_000;
  const deadlineAt = new Date(Date.now() + 600_000);
  const runs = (tenant: string, count: number, acceptedAt: Date): NewRun[] =>
    Array.from({ length: count }, (_, i) => ({
      id: randomUUID(),
      tenant,
      request: { message: `question-${tenant}${i}`, session_id: randomUUID(), top_k: 5 },
      acceptedAt,
      deadlineAt,
    }));
  // In the order in which the reconciler finds them, the only one of `b` comes last.
  await insertRuns(agent.db, [...runs('a', 100, new Date(before)), ...runs('b', 1, new Date(before + 1))]);
  await eventually(() => expect(begun(agent)).toContain('question-b0'), { timeoutMs: 60_000 });
  expect(begun(agent).length).toBeLessThan(90);
}, 120_000);
