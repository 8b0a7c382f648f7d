import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Repeats an assertion until it holds; after the time limit its last failure is thrown. */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  { timeoutMs = 5_000 }: { timeoutMs?: number } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
    }
    await sleep(POLL_MS);
  }
}
