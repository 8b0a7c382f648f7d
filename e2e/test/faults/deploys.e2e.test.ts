import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { chatResponseSchema } from '@quire/shared/contracts';
import { jobFields, jobKey } from '@quire/shared/jobs';
import { eventually, startTcpProxy } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { gatewayUrl, type ServiceName } from '../quire-processes.js';
import { holdAnswer } from './held-answer.js';
import { numberedAnswer, numberedText, questionOf } from './numbered-answer.js';
import { followStream, expectOneAnswer, messagesIn } from './resuming-client.js';
import { startTwoOfEach, type TwoOfEach } from './two-of-each.js';

let stack: TwoOfEach;
beforeAll(async () => {
  stack = await startTwoOfEach({ DRAIN_NOTICE_MS: '1000' });
});
afterEach(async () => {
  stack.providers.reset();
  stack.providers.chat.byDefault((request) => numberedAnswer(request, 15));
  await stack.refill();
});
afterAll(() => stack.close());

it('a gateway that drains is not ready before it closes, and its stream continues on the other gateway without a gap', async () => {
  const held = holdAnswer(15);
  stack.providers.chat.byDefault(held.behaviour);
  const [leaving] = stack.alive('gateway');
  const url = leaving && gatewayUrl(leaving);
  const followed = await followStream(stack.gateways, { message: questionOf('moved', 60) });
  await eventually(() => expect(stack.callsFor('moved')).toHaveLength(1));
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  const gone = leaving?.kill('SIGTERM');
  const notice = await eventually(async () => {
    const response = await fetch(`${url}/health/ready`);
    expect(response.status).toBe(503);
    return response;
  });
  expect(await notice.json()).toMatchObject({ status: 'not_ready', draining: true });
  const refused = await fetch(`${url}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: questionOf('too-late') }),
  });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  await gone;
  expect(leaving?.child.exitCode).toBe(0);
  held.release();
  const finished = await followed.finished;
  expectOneAnswer(finished, numberedText('moved', 60));
  expect(finished.resumed).toBeGreaterThan(0);
  expect(finished.events.map(({ id }) => Number(id))).toEqual(finished.events.map((_, i) => i + 1));
  expect(stack.callsFor('moved')).toHaveLength(1);
});

it('an agent worker that drains hands its run to the other one, which waits for no lock', async () => {
  const held = holdAnswer();
  stack.providers.chat.byDefault(held.behaviour);
  const session_id = randomUUID();
  const followed = await followStream(stack.gateways, { message: questionOf('handed-over', 60), session_id });
  await eventually(() => expect(stack.callsFor('handed-over')).toHaveLength(1));
  const leaving = stack.callsFor('handed-over')[0]?.agent;
  await leaving?.kill('SIGTERM');
  expect(leaving?.child.exitCode).toBe(0);
  await eventually(() => expect(stack.callsFor('handed-over')).toHaveLength(2));
  held.release();
  expectOneAnswer(await followed.finished, numberedText('handed-over', 60));
  expect(await messagesIn(stack.gateways()[0], session_id)).toBe(2);
  // Nor for the backoff of a failed try: a hand-back is not a failure.
  expect(await stack.redis.hget(jobKey('chat', followed.requestId), jobFields.tries)).toBe('1');
  // A job stalls only when its lock expires.
  const lines = stack.quire.processes.map((service) => service.output()).join('');
  expect(lines).not.toContain('Job stalled');
});

it.each(['agent-worker', 'retrieval-worker'] as const)(
  'a worker that drains while Redis hangs exits with code 0 within its grace period (%s)',
  async (name) => {
    const proxy = await startTcpProxy(stack.quire.env['REDIS_URL'] ?? '');
    onTestFinished(() => proxy.close());
    const leaving = await stack.quire.start(name, { REDIS_URL: proxy.url });
    proxy.pause();
    await leaving.kill('SIGTERM');
    expect(leaving.child.exitCode).toBe(0);
  },
);

it('a rolling restart of every process under load loses no question and executes none twice', async () => {
  const asking = new AbortController();
  const answered: string[] = [];
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let i = 0; !asking.signal.aborted; i += 1) {
      const tag = `rolling-${client}-${i}`;
      await (client % 2 === 0 ? askAsStream(tag) : askAsJson(tag));
      answered.push(tag);
    }
  });
  const names: ServiceName[] = ['gateway', 'agent-worker', 'retrieval-worker'];
  for (const service of names.flatMap((name) => stack.alive(name))) {
    await stack.startOne(service.name);
    await service.kill('SIGTERM');
    expect(`${service.name} ${service.child.exitCode}`).toBe(`${service.name} 0`);
  }
  asking.abort();
  await Promise.all(clients);
  expect(answered.length).toBeGreaterThan(8);
  expect(answered.filter((tag) => stack.callsFor(tag).length !== 1)).toEqual([]);
});

async function askAsStream(tag: string): Promise<void> {
  const followed = await persist(() =>
    followStream(stack.gateways, { message: questionOf(tag) }, { 'idempotency-key': tag }),
  );
  expectOneAnswer(await followed.finished, numberedText(tag, 20));
}

async function askAsJson(tag: string): Promise<void> {
  const gateway = () => stack.gateways().at(-1);
  const response = await persist(async () => {
    const answer = await fetch(`${gateway()}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': tag },
      body: JSON.stringify({ message: questionOf(tag) }),
    });
    // 202: the gateway stopped while the caller waited, and its run goes on.
    if (answer.status !== 200) throw new Error(`${answer.status}`);
    return chatResponseSchema.parse(await answer.json());
  });
  expect(response.answer).toBe(numberedText(tag, 20));
}

/** Repeats a question whose gateway went away; the Idempotency-Key makes that safe. */
async function persist<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await sleep(100);
    }
  }
}
