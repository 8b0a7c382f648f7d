import { answer } from '@quire/scripted-providers';
import { eventually } from '@quire/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askedOf, numberedAnswer, numberedText, questionOf } from './numbered-answer.js';
import { askForStory, expectOneAnswer } from './resuming-client.js';
import { startTwoOfEach, type TwoOfEach } from './two-of-each.js';

const WORDS = 60;
const bystanders = ['by-1', 'by-2', 'by-3', 'by-4', 'by-5', 'by-6', 'by-7', 'by-8'];

let stack: TwoOfEach;
beforeAll(async () => {
  stack = await startTwoOfEach({ GEMINI_FIRST_TOKEN_TIMEOUT_MS: '120000' });
});
afterAll(() => stack.close());

it('a run that has killed three workers ends as failed and is kept, and takes no run beside it along', async () => {
  let losses = 0;
  let letBystandersAnswer = (): void => undefined;
  const bystandersMayAnswer = new Promise<void>((resolve) => (letBystandersAnswer = resolve));
  stack.providers.chat.byDefault(async (request) => {
    if (askedOf(request)?.tag !== 'poison') {
      await bystandersMayAnswer;
      return numberedAnswer(request, 15);
    }
    losses += 1;
    void stack.callsFor('poison').at(-1)?.agent?.kill('SIGKILL');
    // From here on those that were beside it twice could be beside it a third time.
    if (losses === 2) letBystandersAnswer();
    return answer('Never heard', { stallAfterTokens: 0 });
  });

  const beside = await Promise.all(
    bystanders.map((tag) => askForStory(stack.gateways, { message: questionOf(tag, WORDS) })),
  );
  await eventually(() => expect(stack.providers.chat.requests).toHaveLength(bystanders.length), {
    timeoutMs: 30_000,
  });
  const poison = await askForStory(stack.gateways, { message: questionOf('poison') });
  // One new worker whenever none is left: what was together stays together, which is the worst case.
  let ended = false;
  const supervisor = (async () => {
    while (!ended) {
      await eventually(() => expect(ended || stack.alive('agent-worker').length === 0).toBe(true), {
        timeoutMs: 90_000,
      });
      if (!ended) await stack.startOne('agent-worker');
    }
  })();
  const { end } = await poison.told;
  const stories = await Promise.all(beside.map(({ told }) => told));
  ended = true;
  await supervisor;

  expect(end.event).toBe('failed');
  expect(JSON.parse(end.data)).toMatchObject({ error_code: 'INTERNAL' });
  expect(losses).toBe(3);
  expect(await stack.redis.zscore('{quire:chat}:chat:failed', poison.requestId)).not.toBeNull();
  for (const [i, story] of stories.entries())
    expectOneAnswer(story, numberedText(bystanders[i] ?? '', WORDS));
  const lostTwice = bystanders.filter((tag) => stack.callsFor(tag).length === 3);
  expect(lostTwice, 'nobody was in danger: the test proves nothing').not.toEqual([]);
}, 120_000);
