import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerWatch, type WorkerPatience } from '@quire/ingestion';
import type { RetrievalQuery, RetrievalResult } from '@quire/shared/contracts';
import { DeadlineExceeded, QuireError } from '@quire/shared/errors';
import { withLinkedSignal } from '@quire/shared/process';
import type { RetrievalClient } from '@quire/shared/retrieval';
import type { Redis } from 'ioredis';
import { CommandFailure } from '../command-failure.js';
import { NOTES } from '../ingest/ingestion-view.js';
import type { Progress } from '../progress.js';

/** Longer than the watch waits for a worker, so that a missing worker is reported as such. */
const SEARCH_LIMIT_MS = 120_000;
const POLL_MS = 100;

export type QueryResult = { ok: true; result: RetrievalResult } | { ok: false; reason: string };

export interface SearchOptions {
  client: RetrievalClient;
  redis: Redis;
  progress: Progress;
  signal: AbortSignal;
  concurrency: number;
  patience?: WorkerPatience | undefined;
}

/** Searches for all queries, a few at a time; one that fails does not stop the others. */
export async function searchAll(
  queries: readonly RetrievalQuery[],
  { client, redis, progress, signal, concurrency, patience }: SearchOptions,
): Promise<QueryResult[]> {
  const results: QueryResult[] = [];
  const queue = queries.entries();
  let done = 0;
  const searchNext = async (until: AbortSignal) => {
    for (const [index, query] of queue) {
      results[index] = await search(query, client, until);
      done += 1;
    }
  };
  const text = () => `${done}/${queries.length} answers`;
  const watch = new WorkerWatch(redis, () => progress.note(NOTES.no_worker), patience);
  const watchWorkers = async (until: AbortSignal): Promise<never> => {
    for (;;) {
      progress.show({ live: text, plain: text });
      await watch.check();
      await sleep(POLL_MS, undefined, { signal: until });
    }
  };
  const over = new AbortController();
  return withLinkedSignal([signal, over.signal], async (until) => {
    setMaxListeners(0, until);
    try {
      const lanes = Array.from({ length: concurrency }, () => searchNext(until));
      await Promise.race([Promise.all(lanes), watchWorkers(until)]);
      return results;
    } finally {
      over.abort();
      progress.clear();
    }
  });
}

async function search(
  query: RetrievalQuery,
  client: RetrievalClient,
  signal: AbortSignal,
): Promise<QueryResult> {
  const deadlineAt = Date.now() + SEARCH_LIMIT_MS;
  try {
    const result = await client.search(query, { requestId: randomUUID(), deadlineAt, signal });
    // The results of a degraded search are not those of the search that is measured.
    if (result.degraded_reason) return { ok: false, reason: `degraded: ${result.degraded_reason}` };
    return { ok: true, result };
  } catch (error) {
    if (error instanceof DeadlineExceeded)
      return { ok: false, reason: `no answer within ${SEARCH_LIMIT_MS / 1000} s` };
    if (error instanceof QuireError) return { ok: false, reason: error.message };
    throw error;
  }
}

/** Ends the command when every search failed, most likely for the same reason. */
export function requireResults(results: readonly QueryResult[]): void {
  const failed = results.filter((each) => !each.ok);
  if (failed.length > 0 && failed.length === results.length)
    throw new CommandFailure(`Not one question was answered: ${failed[0]?.reason}`);
}

/** Ends the command when nothing is found even without a threshold. */
export function requirePassages(results: readonly QueryResult[]): void {
  const found = results.filter((each) => each.ok);
  if (found.length > 0 && found.every(({ result }) => result.chunks.length === 0))
    throw new CommandFailure('The index is empty: ingest the book first (`quire ingest`).');
}
