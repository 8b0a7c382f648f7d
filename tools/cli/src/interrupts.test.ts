import { describe, expect, test } from 'vitest';
import { Interrupts } from './interrupts.js';

describe('Ctrl-C', () => {
  test('ends the command, and the second time the program', () => {
    const interrupts = new Interrupts();
    expect(interrupts.raise()).toBe(true);
    expect(interrupts.signal.aborted).toBe(true);
    expect(interrupts.raise()).toBe(false);
  });

  test('ends the work that has taken it, and the command goes on', async () => {
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

  test('the end of the command ends the work too', async () => {
    const interrupts = new Interrupts();
    await interrupts.during(async (signal) => {
      interrupts.endCommand();
      expect(signal.aborted).toBe(true);
    });
  });
});
