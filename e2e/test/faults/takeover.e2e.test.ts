import { randomUUID } from 'node:crypto';
import { answer, vectors } from '@quire/scripted-providers';
import { eventually } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { holdAnswer } from './held-answer.js';
import { numberedText, questionOf } from './numbered-answer.js';
import { followStream, expectOneAnswer, messagesIn } from './resuming-client.js';
import { startTwoOfEach, type TwoOfEach } from './two-of-each.js';

let stack: TwoOfEach;
beforeAll(async () => {
  stack = await startTwoOfEach();
});
afterEach(async () => {
  stack.providers.reset();
  await stack.refill();
});
afterAll(() => stack.close());

it('a run whose agent worker is killed mid-answer completes on the other one with one reset, one answer and one turn', async () => {
  const session_id = randomUUID();
  const message = questionOf('killed', 120);
  const followed = await followStream(stack.gateways, { message, session_id });
  await eventually(() => expect(followed.events.some(({ event }) => event === 'delta')).toBe(true));
  const [first] = stack.callsFor('killed');
  await first?.agent?.kill('SIGKILL');
  const finished = await followed.finished;
  const text = numberedText('killed', 120);
  expectOneAnswer(finished, text);
  expect(finished.events.filter(({ event }) => event === 'reset')).toHaveLength(1);
  expect(finished.resumed).toBe(0);
  expect(stack.callsFor('killed').map(({ agent }) => agent)).toEqual([
    first?.agent,
    stack.alive('agent-worker')[0],
  ]);
  expect(await messagesIn(stack.gateways()[1], session_id)).toBe(2);
});

it('a frozen agent worker that resumes after a takeover appends nothing and aborts its model call', async () => {
  const session_id = randomUUID();
  const message = questionOf('frozen', 60);
  const text = numberedText('frozen', 60);
  const successor = holdAnswer();
  stack.providers.chat.enqueue(
    answer(`${text} More of it.`, { tokenMs: 30, stallAfterTokens: 200 }),
    successor.behaviour,
  );
  const followed = await followStream(stack.gateways, { message, session_id });
  await eventually(() => expect(followed.events.some(({ event }) => event === 'delta')).toBe(true));
  const frozen = stack.callsFor('frozen')[0]?.agent;
  frozen?.child.kill('SIGSTOP');
  await eventually(() => expect(stack.callsFor('frozen')).toHaveLength(2));
  frozen?.child.kill('SIGCONT');
  await eventually(() => expect(stack.callsFor('frozen')[0]?.aborted).toBe(true));
  successor.release();
  expectOneAnswer(await followed.finished, text);
  expect(stack.callsFor('frozen').map(({ agent }) => agent === frozen)).toEqual([true, false]);
  expect(await messagesIn(stack.gateways()[0], session_id)).toBe(2);
});

it('a stream whose gateway is killed continues on the other gateway without a gap', async () => {
  const followed = await followStream(stack.gateways, { message: questionOf('gateway-killed', 60) });
  await eventually(() => expect(followed.events.some(({ event }) => event === 'delta')).toBe(true));
  await stack.alive('gateway')[0]?.kill('SIGKILL');
  const finished = await followed.finished;
  expectOneAnswer(finished, numberedText('gateway-killed', 60));
  expect(finished.resumed).toBeGreaterThan(0);
  expect(finished.events.map(({ id }) => Number(id))).toEqual(finished.events.map((_, i) => i + 1));
  expect(stack.callsFor('gateway-killed')).toHaveLength(1);
});

it('a run completes although the retrieval worker that searches for it is killed', async () => {
  const { embeddings } = stack.providers;
  embeddings.enqueue(vectors({ stall: true }));
  const followed = await followStream(stack.gateways, { message: questionOf('search-killed') });
  await eventually(() => expect(embeddings.requests).toHaveLength(1));
  const searching = stack.callerOf(embeddings.requests[0]);
  await searching?.kill('SIGKILL');
  const finished = await followed.finished;
  expectOneAnswer(finished, numberedText('search-killed', 20));
  expect(JSON.parse(finished.end.data)).toMatchObject({ metadata: { attempts: 1, mode: 'full' } });
  expect(embeddings.requests.map(stack.callerOf)).toEqual([searching, stack.alive('retrieval-worker')[0]]);
});
