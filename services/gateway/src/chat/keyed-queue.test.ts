import { expect, it } from 'vitest';
import { KeyedQueue } from './keyed-queue.js';

it('work with the same key runs one after the other, also after a failure, and other keys do not wait', async () => {
  const queue = new KeyedQueue();
  const order: string[] = [];
  let fail = (_error: Error): void => {};
  const first = queue.run('a', () => new Promise((_resolve, reject) => (fail = reject)));
  const second = queue.run('a', async () => order.push('second'));
  await queue.run('b', async () => order.push('other'));
  fail(new Error('first'));
  await expect(first).rejects.toThrow('first');
  await second;
  expect(order).toEqual(['other', 'second']);
});
