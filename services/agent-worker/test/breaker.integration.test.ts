import {
  answer,
  failWith,
  messageTexts,
  refuse,
  type ChatBehaviour,
  type ScriptedProviders,
} from '@quire/scripted-providers';
import { redisKeys } from '@quire/shared/redis';
import { createTestDatabase, eventually, testRedisUrl } from '@quire/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAgent, type AgentUnderTest } from './agent-under-test.js';
import { responseOf } from './shown-answer.js';

const FAILURES_TO_OPEN = 5;
const RUNS_TO_MISCONFIGURE = 2;
let agent: AgentUnderTest;
const chat = (): ScriptedProviders['chat'] => agent.providers.chat;
const answerOf = async (request = {}, tenant = 'local') =>
  responseOf((await agent.ended(await agent.ask(request, 60_000, { tenant }))).outcome);
const modeOf = async (request = {}, tenant = 'local') => (await answerOf(request, tenant)).metadata.mode;

/** Two runs find the key refused, which opens the breaker. */
async function misconfigure(): Promise<void> {
  chat().enqueue(failWith(401), failWith(401));
  for (let run = 0; run < RUNS_TO_MISCONFIGURE; run += 1) expect(await modeOf()).toBe('retrieval_only');
}

beforeEach(async () => {
  agent = await startAgent({ models: 'only' });
});
afterEach(() => agent.close());

it('repeated failures keep every run from calling the model until a probe succeeds', async () => {
  chat().byDefault(failWith(503));
  // With two tries each, the fifth failure is the third run's.
  for (let run = 0; run < 3; run += 1) expect(await modeOf()).toBe('retrieval_only');
  expect(chat().requests).toHaveLength(FAILURES_TO_OPEN);
  chat().byDefault(answer('Nodes talk [1].'));
  expect(await modeOf()).toBe('retrieval_only');
  expect(chat().requests).toHaveLength(FAILURES_TO_OPEN);
  await agent.halfOpenBreakers();
  expect(await modeOf()).toBe('full');
});

it('while the breaker is half open, one run of all calls the model', async () => {
  await misconfigure();
  await agent.halfOpenBreakers();
  chat().reset();
  let release = () => {};
  const othersHaveEnded = new Promise<void>((resolve) => (release = resolve));
  chat().byDefault(async () => {
    await othersHaveEnded;
    return answer('Nodes talk [1].');
  });
  const modes: string[] = [];
  const runs = Array.from({ length: 8 }, async () => modes.push(await modeOf()));
  await eventually(() => expect(modes).toEqual(Array.from({ length: 7 }, () => 'retrieval_only')));
  expect(chat().requests).toHaveLength(1);
  release();
  await Promise.all(runs);
  expect(modes.at(-1)).toBe('full');
  expect(chat().requests).toHaveLength(1);
  expect(await modeOf()).toBe('full');
});

it('after a cancelled probe the next run is the probe', async () => {
  await misconfigure();
  await agent.halfOpenBreakers();
  chat().reset();
  chat().enqueue(answer('Nodes talk [1].', { firstTokenMs: 120_000 }));
  const probe = await agent.ask();
  await eventually(() => expect(chat().requests).toHaveLength(1));
  await agent.cancel(probe);
  await agent.ended(probe);
  chat().byDefault(answer('Nodes talk [1].'));
  await eventually(async () => expect(await modeOf()).toBe('full'));
});

it('once one worker has met a refused key, no worker calls the model', async () => {
  const redisUrl = await testRedisUrl();
  const database = await createTestDatabase();
  const first = await startAgent({ models: 'only', redisUrl, database });
  const second = await startAgent({ models: 'only', redisUrl, database, providers: first.providers });
  try {
    first.providers.chat.byDefault(failWith(401));
    await first.ended(await first.ask());
    await second.ended(await second.ask());
    for (const worker of [first, second]) {
      const runs = await Promise.all(Array.from({ length: 25 }, () => worker.ask()));
      const ended = await Promise.all(runs.map((run) => worker.ended(run)));
      for (const { outcome } of ended) {
        expect(responseOf(outcome).metadata).toMatchObject({ degraded_reason: 'model_misconfigured' });
      }
    }
    expect(first.providers.chat.requests).toHaveLength(RUNS_TO_MISCONFIGURE);
  } finally {
    await second.close();
    await first.close();
  }
});

const POISON = 'poison';
const failsOn = (failure: ChatBehaviour) =>
  chat().byDefault((request) =>
    messageTexts(request).some((text) => text.includes(POISON)) ? failure : answer('Nodes talk [1].'),
  );
const tooLong = failWith(400, { code: 'context_length_exceeded', message: 'Too long.' });

describe('requests that a provider rejects', () => {
  it('rejected requests get sources alone with a reason of their own, and the breaker stays closed', async () => {
    failsOn(tooLong);
    for (let run = 0; run < FAILURES_TO_OPEN + 1; run += 1) {
      const { metadata } = await answerOf({ message: POISON });
      expect(metadata).toMatchObject({ mode: 'retrieval_only', degraded_reason: 'request_rejected' });
    }
    expect(await modeOf()).toBe('full');
    expect(await agent.redis.keys(redisKeys.modelBreaker('*'))).toEqual([]);
  });

  it('a rejected probe leaves the breaker half open, and the next run is the probe', async () => {
    await misconfigure();
    await agent.halfOpenBreakers();
    failsOn(tooLong);
    expect(await modeOf({ message: POISON })).toBe('retrieval_only');
    expect(await modeOf()).toBe('full');
  });
});

it.each<[title: string, failure: ChatBehaviour]>([
  ['make the provider fail', failWith(500)],
  ['are forbidden by the provider', failWith(403)],
  ['make the provider refuse connections', refuse()],
])("one tenant's requests that %s open the breaker to that tenant alone", async (_title, failure) => {
  failsOn(failure);
  for (let run = 0; run < FAILURES_TO_OPEN; run += 1) await modeOf({ message: POISON }, 'poisoner');
  const [breaker = ''] = await agent.redis.keys(redisKeys.modelBreaker('*'));
  expect(JSON.parse((await agent.redis.get(breaker)) ?? '{}')).toMatchObject({ of: 'poisoner' });
  for (let run = 0; run < 3; run += 1) expect(await modeOf({}, 'bystander')).toBe('full');
});
