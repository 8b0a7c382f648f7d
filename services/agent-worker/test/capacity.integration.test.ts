import { agentCapacities } from '@quire/shared/process';
import { answer } from '@quire/scripted-providers';
import { eventually } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { startAgent } from './agent-under-test.js';

const MODEL_MS = 300;

it('a worker says how many runs it works on at once, and how long those take once it knows', async () => {
  const agent = await startAgent({ concurrency: 7 });
  onTestFinished(() => agent.close());
  agent.providers.chat.byDefault(answer('Nodes talk [1].', { firstTokenMs: MODEL_MS }));
  await eventually(async () =>
    expect(await agentCapacities(agent.redis)).toMatchObject([{ concurrency: 7, service_ms: null }]),
  );
  await agent.ended(await agent.ask());
  await eventually(
    async () => {
      const [said] = await agentCapacities(agent.redis);
      expect(said?.service_ms).toBeGreaterThanOrEqual(MODEL_MS);
    },
    { timeoutMs: 10_000 },
  );
  await agent.stop();
  expect(await agentCapacities(agent.redis)).toEqual([]);
});
