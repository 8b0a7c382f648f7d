import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerWatch, type WorkerPatience } from '@quire/ingestion';
import type { RetrievalQuery, RetrievalResult } from '@quire/shared/contracts';
import { DeadlineExceeded, QuireError } from '@quire/shared/errors';
import { withLinkedSignal } from '@quire/shared/process';
import type { RetrievalClient } from '@quire/shared/retrieval';
import type { Redis } from 'ioredis';
import { NOTES } from '../ingest/ingestion-view.js';
import type { Progress } from '../progress.js';

/** Longer than the watch waits for a worker, so that an absent one is told as such. */
const QUESTION_LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 100;

export type Answer = { ok: true; result: RetrievalResult } | { ok: false; reason: string };

export interface Asking {
  client: RetrievalClient;
  redis: Redis;
  progress: Progress;
  signal: AbortSignal;
  concurrency: number;
  patience?: WorkerPatience | undefined;
}

/** Asks all questions, a few at a time; one that fails does not hold up the others. */
export async function askAll(
  queries: readonly RetrievalQuery[],
  { client, redis, progress, signal, concurrency, patience }: Asking,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const queue = queries.entries();
  let done = 0;
  const askInTurn = async (wanted: AbortSignal) => {
    for (const [index, query] of queue) {
      answers[index] = await ask(query, client, wanted);
      done += 1;
    }
  };
  const answered = () => `${done}/${queries.length} answers`;
  const watch = new WorkerWatch(redis, () => progress.note(NOTES.no_worker), patience);
  const lookAfter = async (wanted: AbortSignal): Promise<never> => {
    for (;;) {
      progress.show({ live: answered, plain: answered });
      await watch.check();
      await sleep(LOOK_EVERY_MS, undefined, { signal: wanted });
    }
  };
  const over = new AbortController();
  return withLinkedSignal([signal, over.signal], async (wanted) => {
    setMaxListeners(0, wanted);
    try {
      const lanes = Array.from({ length: concurrency }, () => askInTurn(wanted));
      await Promise.race([Promise.all(lanes), lookAfter(wanted)]);
      return answers;
    } finally {
      over.abort();
      progress.clear();
    }
  });
}

async function ask(query: RetrievalQuery, client: RetrievalClient, signal: AbortSignal): Promise<Answer> {
  const deadlineAt = Date.now() + QUESTION_LIMIT_MS;
  try {
    const result = await client.search(query, { requestId: randomUUID(), deadlineAt, signal });
    // What a crippled search finds says nothing about the search that was meant.
    if (result.degraded_reason) return { ok: false, reason: `degraded: ${result.degraded_reason}` };
    return { ok: true, result };
  } catch (error) {
    if (error instanceof DeadlineExceeded)
      return { ok: false, reason: `no answer within ${QUESTION_LIMIT_MS / 1000} s` };
    if (error instanceof QuireError) return { ok: false, reason: error.message };
    throw error;
  }
}
