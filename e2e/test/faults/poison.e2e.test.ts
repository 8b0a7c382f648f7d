import { setTimeout as sleep } from 'node:timers/promises';
import { answer } from '@quire/scripted-providers';
import { eventually } from '@quire/testkit';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { holdAnswer } from './held-answer.js';
import { askedOf, numberedText, questionOf } from './numbered-answer.js';
import type { ServiceProcess } from '../quire-processes.js';
import { askForStory, expectOneAnswer } from './resuming-client.js';
import { startTwoOfEach, type TwoOfEach } from './two-of-each.js';

const WORDS = 60;
const bystanders = ['by-1', 'by-2', 'by-3', 'by-4', 'by-5', 'by-6', 'by-7', 'by-8'];

let stack: TwoOfEach;
beforeAll(async () => {
  stack = await startTwoOfEach();
});
afterAll(() => stack.close());

it('a run that has killed three workers ends as failed and is kept, and takes no run beside it along', async () => {
  let losses = 0;
  const held = holdAnswer(15);
  stack.providers.chat.byDefault(async (request) => {
    if (askedOf(request)?.tag !== 'poison') return held.behaviour(request);
    losses += 1;
    const victim = stack.callsFor('poison').at(-1)?.agent;
    // Every bystander is beside it twice, and from then on could be beside it a third time.
    if (losses < 3) await eventually(() => expect(bystandersOf(victim)).toEqual(bystanders));
    void victim?.kill('SIGKILL');
    if (losses === 2) held.release();
    return answer('Never heard', { stallAfterTokens: 0 });
  });
  // All runs are on the same worker from the start.
  const [, other] = stack.alive('agent-worker');
  await other?.kill();

  const beside = await Promise.all(
    bystanders.map((tag) => askForStory(stack.gateways, { message: questionOf(tag, WORDS) })),
  );
  const poison = await askForStory(stack.gateways, { message: questionOf('poison') });
  const ended = new AbortController();
  const supervisor = superviseAlone(ended.signal);
  onTestFinished(async () => {
    ended.abort();
    await supervisor;
  });
  const { end } = await poison.told;
  const stories = await Promise.all(beside.map(({ told }) => told));

  expect(end.event).toBe('failed');
  expect(JSON.parse(end.data)).toMatchObject({ error_code: 'INTERNAL' });
  expect(losses).toBe(3);
  expect(await stack.redis.zscore('{quire:chat}:chat:failed', poison.requestId)).not.toBeNull();
  for (const [i, story] of stories.entries())
    expectOneAnswer(story, numberedText(bystanders[i] ?? '', WORDS));
  for (const tag of bystanders) expect(stack.callsFor(tag)).toHaveLength(3);
});

/** Those that this worker has asked the model for. */
function bystandersOf(worker: ServiceProcess | undefined): string[] {
  return bystanders.filter((tag) => stack.callsFor(tag).some(({ agent }) => agent === worker));
}

/** Starts one worker whenever none is left: runs that were together stay together, which is the worst case. */
async function superviseAlone(ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    if (stack.alive('agent-worker').length === 0) await stack.startOne('agent-worker');
    await sleep(50);
  }
}
