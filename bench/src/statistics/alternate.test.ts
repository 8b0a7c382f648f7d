import { expect, it } from 'vitest';
import { alternate } from './alternate.js';

it('each arm of a comparison runs once per round, and first in every other round', async () => {
  const order: string[] = [];
  const arm = (name: string, sample: number) => (round: number) => {
    order.push(`${name} ${round}`);
    return Promise.resolve(sample + round);
  };
  const samples = await alternate(3, { baseline: arm('b', 10), measured: arm('m', 20) });
  expect(order).toEqual(['b 0', 'm 0', 'm 1', 'b 1', 'b 2', 'm 2']);
  expect(samples).toEqual({ baseline: [10, 11, 12], measured: [20, 21, 22] });
});
