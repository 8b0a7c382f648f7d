import { expect, it } from 'vitest';
import { Interrupts } from './interrupts.js';

it('the first Ctrl-C ends the command, and the second one the program', () => {
  const interrupts = new Interrupts();
  expect(interrupts.raise()).toBe(true);
  expect(interrupts.signal.aborted).toBe(true);
  expect(interrupts.raise()).toBe(false);
});

it('Ctrl-C during interruptible work ends the work, and the command goes on', async () => {
  const interrupts = new Interrupts();
  await interrupts.during(async (signal) => {
    expect(interrupts.raise()).toBe(true);
    expect(signal.aborted).toBe(true);
    expect(interrupts.raise()).toBe(false);
  });
  expect(interrupts.signal.aborted).toBe(false);
  expect(interrupts.raise()).toBe(true);
  expect(interrupts.signal.aborted).toBe(true);
});

it('the end of the command ends its interruptible work too', async () => {
  const interrupts = new Interrupts();
  await interrupts.during(async (signal) => {
    interrupts.endCommand();
    expect(signal.aborted).toBe(true);
  });
});
