import { setTimeout as sleep } from 'node:timers/promises';
import { DependencyUnavailable } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 3000;

/** Retries a start while Qdrant is not up yet; rejects at once on any other error, such as a mismatch. */
export async function awaitIndex(
  start: () => Promise<void>,
  { logger, signal, timeoutMs }: { logger: Logger; signal: AbortSignal; timeoutMs: number },
): Promise<void> {
  const giveUpAt = Date.now() + timeoutMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof DependencyUnavailable)) throw error;
      if (Date.now() + pause > giveUpAt) {
        throw new Error(`The search index did not respond within ${timeoutMs} ms: check QDRANT_URL`, {
          cause: error,
        });
      }
      logger.warn({ stage: 'retrieval', retry_in_ms: pause }, 'Waiting for the search index');
    }
    await sleep(pause, undefined, { signal });
  }
}
