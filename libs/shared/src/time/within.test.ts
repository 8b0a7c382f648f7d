import { expect, it } from 'vitest';
import { within } from './within.js';

const never = () => new Promise<never>(() => {});

it('within() returns the value of work that ends in time', async () => {
  expect(await within(60_000, Promise.resolve('done'), 'late')).toBe('done');
});

it('within() returns the fallback when the work takes too long', async () => {
  expect(await within(1, never(), 'late')).toBe('late');
});

it('within() returns undefined for late work without a fallback', async () => {
  expect(await within(1, never())).toBeUndefined();
});

it('within() rejects when the work rejects in time', async () => {
  await expect(within(60_000, Promise.reject(new Error('broken')), 'late')).rejects.toThrow('broken');
});

it('within() returns a result that arrives while the event loop is busy past the limit', async () => {
  const work = new Promise<string>((resolve) => void setImmediate(resolve, 'read'));
  const limited = within(1, work, 'late');
  const start = performance.now();
  while (performance.now() - start < 5);
  expect(await limited).toBe('read');
});
