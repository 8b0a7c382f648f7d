import { setTimeout as sleep } from 'node:timers/promises';
import { errorEnvelopeSchema, runDescriptionSchema } from '@quire/shared/contracts';
import { redisKeys } from '@quire/shared/redis';
import { eventually } from '@quire/testkit';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { gatewayUrl, type ServiceProcess } from '../quire-processes.js';
import { holdAnswer } from './held-answer.js';
import { questionOf } from './numbered-answer.js';
import { startTwoOfEach, type TwoOfEach } from './two-of-each.js';

const AT_ONCE = 10;
const LEASE_MS = 30_000;

let stack: TwoOfEach;
beforeAll(async () => {
  stack = await startTwoOfEach({
    AUTH: 'on',
    API_KEY_SECRET: 'a secret of the tests, long enough',
  });
});
afterAll(() => stack.close());

async function createKey() {
  const { output } = await stack.quire.quire('keys', 'create', '--tenant', 'a', '--name', 'test', '--json');
  return JSON.parse(output) as { id: string; key: string };
}

async function redisNow() {
  const [seconds = 0, microseconds = 0] = await stack.redis.time();
  return seconds * 1000 + microseconds / 1000;
}

it('the slots of a killed gateway are free after their leases expire, within 30 s, and its questions are answered', async () => {
  const { id, key } = await createKey();
  const held = holdAnswer();
  stack.providers.chat.byDefault(held.behaviour);
  const [killed, other] = stack.alive('gateway') as [ServiceProcess, ServiceProcess];
  const client = new AbortController();
  onTestFinished(() => client.abort());
  const headers = { authorization: `Bearer ${key}` };
  const open = (gateway: ServiceProcess) =>
    fetch(`${gatewayUrl(gateway)}/chat/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ message: questionOf('held') }),
      signal: client.signal,
    });
  const openUntilRefused = async () => {
    const accepted: Response[] = [];
    for (;;) {
      const response = await open(other);
      if (response.status === 200) {
        accepted.push(response);
        continue;
      }
      expect(errorEnvelopeSchema.parse(await response.json()).error_code).toBe('TOO_MANY_CONCURRENT');
      return { accepted, retryAfterMs: Number(response.headers.get('retry-after')) * 1000 };
    }
  };

  const lost = await Promise.all(Array.from({ length: AT_ONCE - 1 }, () => open(killed)));
  expect(lost.map(({ status }) => status)).toEqual(lost.map(() => 200));
  const slots = redisKeys.requestSlots(id);
  const ofKilled = await stack.redis.zrange(slots, '0', '-1');
  expect(ofKilled).toHaveLength(lost.length);
  const kept = await openUntilRefused();
  expect(kept.accepted).toHaveLength(1);

  await killed.kill('SIGKILL');
  const lastEnd = Math.max(...(await stack.redis.zmscore(slots, ...ofKilled)).map(Number));
  expect(lastEnd - (await redisNow())).toBeLessThanOrEqual(LEASE_MS);

  const again: Response[] = [];
  while (again.length < lost.length) {
    const { accepted, retryAfterMs } = await openUntilRefused();
    again.push(...accepted);
    await sleep(retryAfterMs);
  }
  // The slot of the other gateway's own question was never free.
  expect((await openUntilRefused()).accepted).toEqual([]);
  expect(await redisNow()).toBeGreaterThan(lastEnd);

  held.release();
  await eventually(async () => {
    for (const asked of [...lost, ...kept.accepted, ...again]) {
      const run = `${gatewayUrl(other)}/chat/${asked.headers.get('x-request-id')}`;
      const response = await fetch(run, { headers });
      expect(runDescriptionSchema.parse(await response.json()).state).toBe('completed');
    }
  });
});
