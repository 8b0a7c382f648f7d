import { setTimeout as sleep } from 'node:timers/promises';
import { answer } from '@quire/scripted-providers';
import { queueKey } from '@quire/shared/jobs';
import { eventually } from '@quire/testkit';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { holdAnswer } from './held-answer.js';
import { askedOf, numberedText, questionOf } from './numbered-answer.js';
import type { ServiceProcess } from '../quire-processes.js';
import { followStream, expectOneAnswer } from './resuming-client.js';
import { startTwoOfEach, type TwoOfEach } from './two-of-each.js';

const WORDS = 60;
const bystanders = ['by-1', 'by-2', 'by-3', 'by-4', 'by-5', 'by-6', 'by-7', 'by-8'];

let stack: TwoOfEach;
beforeAll(async () => {
  stack = await startTwoOfEach();
});
afterAll(() => stack.close());

it('a run that has killed three workers fails and its job is kept, and no other run fails with it', async () => {
  let losses = 0;
  const held = holdAnswer(15);
  stack.providers.chat.byDefault(async (request) => {
    if (askedOf(request)?.tag !== 'poison') return held.behaviour(request);
    losses += 1;
    const victim = stack.callsFor('poison').at(-1)?.agent;
    // Each other run has been lost with it twice, and could now be lost a third time.
    if (losses < 3) await eventually(() => expect(bystandersOf(victim)).toEqual(bystanders));
    void victim?.kill('SIGKILL');
    if (losses === 2) held.release();
    return answer('Never heard', { stallAfterTokens: 0 });
  });
  // All runs are on the same worker from the start.
  const [, other] = stack.alive('agent-worker');
  await other?.kill();

  const beside = await Promise.all(
    bystanders.map((tag) => followStream(stack.gateways, { message: questionOf(tag, WORDS) })),
  );
  const poison = await followStream(stack.gateways, { message: questionOf('poison') });
  const ended = new AbortController();
  const supervisor = superviseAlone(ended.signal);
  onTestFinished(async () => {
    ended.abort();
    await supervisor;
  });
  const { end } = await poison.finished;
  const streams = await Promise.all(beside.map(({ finished }) => finished));

  expect(end.event).toBe('failed');
  expect(JSON.parse(end.data)).toMatchObject({ error_code: 'INTERNAL' });
  expect(losses).toBe(3);
  expect(await stack.redis.zscore(queueKey('chat', 'failed'), poison.requestId)).not.toBeNull();
  for (const [i, followed] of streams.entries())
    expectOneAnswer(followed, numberedText(bystanders[i] ?? '', WORDS));
  for (const tag of bystanders) expect(stack.callsFor(tag)).toHaveLength(3);
});

/** The runs for which this worker has called the model. */
function bystandersOf(worker: ServiceProcess | undefined): string[] {
  return bystanders.filter((tag) => stack.callsFor(tag).some(({ agent }) => agent === worker));
}

/** Starts a worker whenever none is left, so that all runs stay on one worker, which is the worst case. */
async function superviseAlone(ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    if (stack.alive('agent-worker').length === 0) await stack.startOne('agent-worker');
    await sleep(50);
  }
}
