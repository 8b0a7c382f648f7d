import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
/** Far more than a slow machine needs, and less than the time limit of a test. */
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
