import { agentCapacities } from '@quire/shared/process';
import { answer } from '@quire/scripted-providers';
import { eventually } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { startAgent } from './agent-under-test.js';

const MODEL_MS = 300;

it('a worker announces its concurrency, and its service time after the first run', async () => {
  const agent = await startAgent({ concurrency: 7 });
  onTestFinished(() => agent.close());
  agent.providers.chat.byDefault(answer('Nodes talk [1].', { firstTokenMs: MODEL_MS }));
  await eventually(async () =>
    expect(await agentCapacities(agent.redis)).toMatchObject([{ concurrency: 7, service_ms: null }]),
  );
  await agent.ended(await agent.ask());
  await eventually(async () => {
    const [announced] = await agentCapacities(agent.redis);
    expect(announced?.service_ms).toBeGreaterThanOrEqual(MODEL_MS);
  });
  await agent.stop();
  expect(await agentCapacities(agent.redis)).toEqual([]);
});

it('runs that are cancelled or overdue before they start do not count for the service time', async () => {
  const agent = await startAgent();
  onTestFinished(() => agent.close());
  const cancelled = await agent.ask({}, 60_000, { enqueue: false });
  await agent.cancel(cancelled);
  await agent.enqueue(cancelled);
  expect((await agent.ended(cancelled)).state).toBe('cancelled');
  expect((await agent.ended(await agent.ask({}, -1))).state).toBe('failed');
  agent.providers.chat.byDefault(answer('Nodes talk [1].', { firstTokenMs: MODEL_MS }));
  await agent.ended(await agent.ask());
  const announced = await eventually(async () => {
    const [capacity] = await agentCapacities(agent.redis);
    expect(capacity?.service_ms).not.toBeNull();
    return capacity?.service_ms;
  });
  expect(announced).toBeGreaterThanOrEqual(MODEL_MS);
});
