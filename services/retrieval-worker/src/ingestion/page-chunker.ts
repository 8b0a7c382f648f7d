import { createRequire } from 'node:module';
import type { ChunkedPage } from '@quire/book/chunking';
import type { Page } from '@quire/shared/contracts';
import { DependencyUnavailable, InvalidInput } from '@quire/shared/errors';
import { timeBudgets } from '@quire/shared/time';
import { Piscina } from 'piscina';
import { withinTimeLimit } from '../time-limit.js';
import type { ChunkingResult } from './chunking-thread.js';

const IDLE_THREAD_MS = 30_000;
/** As many as pages at once, so that no page waits for a thread within its time limit. */
const THREADS = 4;

export interface PageChunker {
  /** Rejects with `InvalidInput` if the page cannot be parsed, with `DependencyUnavailable` if not in time. */
  chunk(page: Page, signal: AbortSignal): Promise<ChunkedPage>;
  close(): Promise<void>;
}

/** Parses pages in threads: half a megabyte of Markdown would block the event loop for seconds. */
export function openPageChunker(longestParseMs = timeBudgets.retrieval.parsePageMs): PageChunker {
  const pool = new Piscina<Page, ChunkingResult>({
    filename: createRequire(import.meta.url).resolve('@quire/retrieval-worker/chunking-thread'),
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_THREAD_MS,
  });
  return {
    async chunk(page, signal) {
      // The parser itself refuses pages that are too complex, so this machine is busy: retryable.
      const late = () =>
        new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The page takes too long to parse');
      const parse = (limited: AbortSignal) => pool.run(page, { signal: limited });
      const result = await withinTimeLimit(longestParseMs, signal, parse, late);
      if ('page' in result) return result.page;
      throw new InvalidInput('INVALID_REQUEST', result.fault);
    },
    close: () => pool.destroy(),
  };
}
