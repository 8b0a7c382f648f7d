import { expect, it } from 'vitest';
import { eventually } from './eventually.js';

it("eventually resolves with the assertion's result once it holds", async () => {
  let tries = 0;
  const result = await eventually(() => {
    tries += 1;
    expect(tries).toBe(3);
    return 'held';
  });
  expect(result).toBe('held');
});

it('eventually throws the last failure after the time limit', async () => {
  let tries = 0;
  const failing = eventually(
    () => {
      tries += 1;
      throw new Error(`failure ${tries}`);
    },
    { timeoutMs: 100 },
  );
  await expect(failing).rejects.toThrow(/^failure \d+$/);
  expect(tries).toBeGreaterThan(1);
});
