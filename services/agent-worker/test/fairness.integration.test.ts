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
/** Few, because the test has two connections to Postgres. */
const ASKED_AT_ONCE = 20;
const modelAnswer = answer('Nodes talk [1].', { firstTokenMs: MODEL_MS });

const started = async (options: AgentOptions = {}) => {
  const agent = await startAgent({ concurrency: CONCURRENCY, ...options });
  onTestFinished(() => agent.close());
  agent.providers.chat.byDefault(modelAnswer);
  return agent;
};
/** The questions in the order of their model calls. */
const questionsCalled = (agent: Awaited<ReturnType<typeof startAgent>>) =>
  agent.providers.chat.requests.map(({ body }) => /question-[ab]\d*/.exec(JSON.stringify(body))?.[0] ?? '');

it("with 500 waiting questions of one tenant, another tenant's question starts after a few of them", async () => {
  const agent = await started({ firstTokenMs: 60_000 });
  let start = (): void => undefined;
  const allWaiting = new Promise<void>((resolve) => (start = resolve));
  agent.providers.chat.byDefault(() => allWaiting.then(() => modelAnswer));
  const questions = Array.from({ length: 500 }, (_, i) => `question-a${i}`);
  while (questions.length > 0) {
    const some = questions.splice(0, ASKED_AT_ONCE);
    await Promise.all(some.map((message) => agent.ask({ message }, 600_000, { tenant: 'a' })));
  }
  start();
  await eventually(() => expect(questionsCalled(agent).length).toBeGreaterThan(10));
  // Workers report the current priority, which a tenant's first question gets.
  expect(Number(await agent.redis.get(redisKeys.currentPriority))).toBeGreaterThan(5);
  const runId = await agent.ask({ message: 'question-b' }, 600_000, { tenant: 'b' });
  const before = questionsCalled(agent).length;
  await eventually(() => expect(questionsCalled(agent)).toContain('question-b'));
  // Runs that were about to call the model, and one more in each other slot of the worker.
  expect(questionsCalled(agent).indexOf('question-b') - before).toBeLessThanOrEqual(2 * CONCURRENCY);
  expect((await agent.ended(runId)).outcome).toMatchObject({ type: 'completed' });
  const queue = openQueue('chat', agent.redis);
  expect((await queue.counts())['waiting']).toBeGreaterThan(300);
});

it('runs that are enqueued again after Redis was wiped alternate between tenants', async () => {
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
  // The reconciler finds the only run of `b` last.
  await insertRuns(agent.db, [...runs('a', 100, new Date(before)), ...runs('b', 1, new Date(before + 1))]);
  await eventually(() => expect(questionsCalled(agent)).toContain('question-b0'));
  expect(questionsCalled(agent).length).toBeLessThan(90);
});
