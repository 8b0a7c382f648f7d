import { setTimeout as sleep } from 'node:timers/promises';
import { IndexLease, type LeaseTimings } from '@quire/shared/ingestion';
import type { Redis } from 'ioredis';

const ASK_AGAIN_MS = 500;

export interface LeaseWait {
  redis: Redis;
  signal: AbortSignal;
  timings?: LeaseTimings | undefined;
  /** Called once, when somebody else holds it. */
  onWait: () => void;
}

export async function awaitLease(
  index: string,
  ingestionId: string,
  { redis, signal, timings, onWait }: LeaseWait,
): Promise<IndexLease> {
  for (let told = false; ; told = true) {
    signal.throwIfAborted();
    const lease = await IndexLease.acquire(redis, index, ingestionId, timings);
    if (lease) return lease;
    if (!told) onWait();
    await sleep(ASK_AGAIN_MS, undefined, { signal });
  }
}
