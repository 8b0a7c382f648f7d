import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
/** For a thing that never happens: far more than it takes on a machine many times as slow, and less than a test may take. */
const LIMIT_MS = 120_000;

/** Repeats an assertion until it holds; after the time limit its last failure is thrown. */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  { timeoutMs = LIMIT_MS }: { timeoutMs?: number } = {},
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
