import { answer, failWith, type ScriptedProviders } from '@quire/scripted-providers';
import { createTestDatabase, eventually, testRedisUrl } from '@quire/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startAgent, type AgentUnderTest } from './agent-under-test.js';
import { responseOf } from './shown-answer.js';

const FAILURES_TO_OPEN = 5;
let agent: AgentUnderTest;
const chat = (): ScriptedProviders['chat'] => agent.providers.chat;
const modeOf = async (request = {}) =>
  responseOf((await agent.ended(await agent.ask(request))).outcome).metadata.mode;

beforeEach(async () => {
  agent = await startAgent({ models: 'only' });
});
afterEach(() => agent.close());

it('repeated failures keep every run away from the model until a probe succeeds', async () => {
  chat().byDefault(failWith(503));
  // Two tries each: the fifth failure falls into the third run.
  for (let run = 0; run < 3; run += 1) expect(await modeOf()).toBe('retrieval_only');
  expect(chat().requests).toHaveLength(FAILURES_TO_OPEN);
  chat().byDefault(answer('Nodes talk [1].'));
  expect(await modeOf()).toBe('retrieval_only');
  expect(chat().requests).toHaveLength(FAILURES_TO_OPEN);
  await agent.halfOpenBreakers();
  expect(await modeOf()).toBe('full');
});

it('half open, one run of all goes to the model and the others do without', async () => {
  chat().enqueue(failWith(401));
  expect(await modeOf()).toBe('retrieval_only');
  await agent.halfOpenBreakers();
  chat().reset();
  chat().byDefault(answer('Nodes talk [1].', { firstTokenMs: 500 }));
  const runs = await Promise.all(Array.from({ length: 8 }, () => agent.ask()));
  const ended = await Promise.all(runs.map((run) => agent.ended(run)));
  const modes = ended.map(({ outcome }) => responseOf(outcome).metadata.mode);
  expect(modes.filter((mode) => mode === 'full')).toHaveLength(1);
  expect(chat().requests).toHaveLength(1);
  expect(await modeOf()).toBe('full');
});

it('a probe that is cancelled gives its place to the next run', async () => {
  chat().enqueue(failWith(401));
  await modeOf();
  await agent.halfOpenBreakers();
  chat().enqueue(answer('Nodes talk [1].', { firstTokenMs: 20_000 }));
  const probe = await agent.ask();
  await eventually(() => expect(chat().requests).toHaveLength(2));
  await agent.cancel(probe);
  await agent.ended(probe);
  chat().byDefault(answer('Nodes talk [1].'));
  await eventually(async () => expect(await modeOf()).toBe('full'));
});

it('what one worker learns of a wrong key all workers know', async () => {
  const redisUrl = await testRedisUrl();
  const database = await createTestDatabase();
  const first = await startAgent({ models: 'only', redisUrl, database });
  const second = await startAgent({ models: 'only', redisUrl, database, providers: first.providers });
  try {
    first.providers.chat.byDefault(failWith(401));
    await first.ended(await first.ask());
    for (const worker of [first, second]) {
      const runs = await Promise.all(Array.from({ length: 25 }, () => worker.ask()));
      const ended = await Promise.all(runs.map((run) => worker.ended(run)));
      for (const { outcome } of ended) {
        expect(responseOf(outcome).metadata).toMatchObject({ degraded_reason: 'model_misconfigured' });
      }
    }
    expect(first.providers.chat.requests).toHaveLength(1);
  } finally {
    await second.close();
    await first.close();
  }
});
