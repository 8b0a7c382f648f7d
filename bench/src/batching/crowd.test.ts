import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { crowdThroughput } from './crowd.js';

it('a crowd asks every question once, with no more callers at once than it has', async () => {
  const asked: string[] = [];
  let atOnce = 0;
  let most = 0;
  await crowdThroughput(3, ['a', 'b', 'c', 'd', 'e', 'f', 'g'], async (question) => {
    asked.push(question);
    atOnce += 1;
    most = Math.max(most, atOnce);
    await sleep(5);
    atOnce -= 1;
  });
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  expect(most).toBe(3);
});
