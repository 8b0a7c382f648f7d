import { createRequire } from 'node:module';
import type { ChunkedPage } from '@quire/book/chunking';
import type { Page } from '@quire/shared/contracts';
import { DependencyUnavailable, InvalidInput } from '@quire/shared/errors';
import { withLinkedSignal } from '@quire/shared/process';
import { timeBudgets } from '@quire/shared/time';
import { Piscina } from 'piscina';
import type { ChunkingAnswer } from './chunking-thread.js';

const IDLE_THREAD_MS = 30_000;
/** As many as pages at once, so that none waits for a thread while its time runs. */
const THREADS = 4;

export interface PageChunker {
  /** Rejects with `InvalidInput` when the page cannot be parsed, with `DependencyUnavailable` when it was not in time. */
  chunk(page: Page, signal: AbortSignal): Promise<ChunkedPage>;
  close(): Promise<void>;
}

/** Parses pages in threads: half a megabyte of Markdown takes seconds, in which no question could be answered. */
export function openPageChunker(longestParseMs = timeBudgets.retrieval.parsePageMs): PageChunker {
  const pool = new Piscina<Page, ChunkingAnswer>({
    filename: createRequire(import.meta.url).resolve('@quire/retrieval-worker/chunking-thread'),
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_THREAD_MS,
  });
  return {
    async chunk(page, signal) {
      const tooLong = AbortSignal.timeout(longestParseMs);
      const answer = await withLinkedSignal([signal, tooLong], (limited) =>
        pool.run(page, { signal: limited }),
      ).catch((error: unknown) => {
        signal.throwIfAborted();
        if (!tooLong.aborted) throw error;
        // What is costly by itself is refused while it is parsed: this is a machine that has much else to do.
        throw new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The page takes too long to parse', {
          cause: error,
        });
      });
      if ('page' in answer) return answer.page;
      throw new InvalidInput('INVALID_REQUEST', answer.fault);
    },
    close: () => pool.destroy(),
  };
}
