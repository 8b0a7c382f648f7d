import {
  ingestBook,
  type IngestionEvent,
  type IngestionOptions,
  type IngestionReport,
} from '../src/index.js';
import type { BookSource } from '@quire/book/sources';
import { onTestFinished } from 'vitest';
import { redisFor } from './scripted-worker.js';

export interface StartedIngestion {
  report: Promise<IngestionReport>;
  /** The types of its events so far, without progress. */
  notices: IngestionEvent['type'][];
  abort(): void;
}

/** An ingestion into the index `quire`, aborted at the latest when the test ends. */
export async function startIngestion(
  redisUrl: string,
  source: BookSource,
  options: Partial<IngestionOptions> = {},
): Promise<StartedIngestion> {
  const abort = new AbortController();
  const notices: IngestionEvent['type'][] = [];
  const report = ingestBook(source, {
    redis: await redisFor(redisUrl),
    index: 'quire',
    signal: abort.signal,
    onEvent: ({ type }) => void (type === 'pages' || type === 'carry' || notices.push(type)),
    ...options,
  });
  const ended = report.catch(() => {});
  onTestFinished(async () => {
    abort.abort();
    await ended;
  });
  return { report, notices, abort: () => abort.abort() };
}
