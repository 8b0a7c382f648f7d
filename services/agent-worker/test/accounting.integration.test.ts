import { answer, failWith, toolCall } from '@quire/scripted-providers';
import { eventually, freePorts } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startAgent, type AgentUnderTest } from './agent-under-test.js';
import { responseOf } from './shown-answer.js';

const usage = (promptTokens: number, completionTokens: number) => ({
  usage: { promptTokens, completionTokens },
});
let agent: AgentUnderTest;
let metricsPort: number;
beforeAll(async () => {
  [metricsPort = 0] = await freePorts(1);
  agent = await startAgent({
    prices: { first: { input: 1, output: 10 }, second: { input: 2, output: 20 } },
    metricsPort,
  });
});
afterEach(async () => {
  agent.providers.reset();
  await agent.forgetFailures();
});
afterAll(() => agent.close());

const bookedFor = (runId: string) =>
  agent.db
    .selectFrom('model_usage')
    .select(['model', 'tenant', 'calls', 'prompt_tokens', 'completion_tokens', 'cost_usd', 'estimated'])
    .where('run_id', '=', runId)
    .orderBy('model')
    .execute();

it('a run books every model call: those with a search, failed ones and the answer', async () => {
  agent.providers.chat.enqueue(
    toolCall('search_book_content', { query: 'more' }, usage(1000, 10)),
    failWith(503),
    failWith(503),
    answer('So [1].', usage(2000, 20)),
  );
  const runId = await agent.ask();
  const { metadata } = responseOf((await agent.ended(runId)).outcome);
  expect(metadata).toMatchObject({
    model: 'second',
    tokens_used: { prompt: 3000, completion: 30, total: 3030 },
    cost_usd: 0.0055,
  });
  expect(metadata).not.toHaveProperty('tokens_estimated');
  expect(await bookedFor(runId)).toEqual([
    {
      model: 'first',
      tenant: 'local',
      calls: 3,
      prompt_tokens: 1000,
      completion_tokens: 10,
      cost_usd: 0.0011,
      estimated: false,
    },
    {
      model: 'second',
      tenant: 'local',
      calls: 1,
      prompt_tokens: 2000,
      completion_tokens: 20,
      cost_usd: 0.0044,
      estimated: false,
    },
  ]);
});

it('metrics show tokens and cost by tenant and model, and runs by outcome', async () => {
  agent.providers.chat.enqueue(answer('So [1].', usage(500, 5)));
  await agent.ended(await agent.ask());
  // A run is counted after its outcome is announced.
  await eventually(async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(text).toMatch(
      /quire_tokens_total\{tenant="local",model="first",kind="prompt",service="agent-worker"\} 1500/,
    );
    expect(text).toMatch(
      /quire_model_cost_usd_total\{tenant="local",model="first",service="agent-worker"\} 0\.001/,
    );
    expect(text).toMatch(/quire_runs_total\{outcome="full",service="agent-worker"\} 2/);
    expect(text).toMatch(
      /quire_model_calls_total\{model="first",outcome="unavailable",service="agent-worker"\} 2/,
    );
    expect(text).toMatch(/quire_first_text_seconds_count\{service="agent-worker"\} 2/);
  });
});

it('the cost of a run is unknown if its model has no price', async () => {
  const unpriced = await startAgent({ prices: {} });
  try {
    unpriced.providers.chat.enqueue(answer('So [1].', usage(500, 5)));
    const { metadata } = responseOf((await unpriced.ended(await unpriced.ask())).outcome);
    expect(metadata.tokens_used.total).toBe(505);
    expect(metadata).not.toHaveProperty('cost_usd');
  } finally {
    await unpriced.close();
  }
});
