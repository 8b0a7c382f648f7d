import type { BookSource } from '@quire/book/sources';
import { IngestionTally, succeeded, type IngestionReport } from '@quire/ingestion';
import { expect, it } from 'vitest';
import { summaryJson, summaryText } from './ingestion-summary.js';

const source: BookSource = {
  description: '3 pages',
  baseUrl: 'https://book.example',
  layout: 'plain',
  whole: true,
  pages: [],
  leftOut: [],
  close: async () => {},
};

function summaryOf(
  fill: (tally: IngestionTally) => void,
  change: Partial<IngestionReport> = {},
): IngestionReport {
  const tally = new IngestionTally(3, []);
  fill(tally);
  return {
    index: 'quire',
    collection: 'quire--a',
    embedder: 'a',
    replaced: undefined,
    removed: { task: 'close', removed_pages: 0, removed_chunks: 0 },
    source,
    tally,
    elapsedMs: 2345,
    ...change,
  };
}

const page = (path: string, chunks: number, embedded: number) => ({
  task: 'page' as const,
  path,
  chunks,
  embedded,
});

it('the summary shows pages, time and how many chunks were embedded', () => {
  const summary = summaryOf((tally) => tally.add(page('a.md', 1204, 17)));
  expect(summaryText(summary)).toBe('1 page ingested in 2.3 s\n1,204 chunks: 17 embedded, 1,187 reused\n');
  expect(succeeded(summary)).toBe(true);
});

it('the summary shows what was removed and what was carried over', () => {
  const summary = summaryOf((tally) => (tally.carried = 50), {
    replaced: 'quire--old',
    removed: { task: 'close', removed_pages: 1, removed_chunks: 4 },
  });
  expect(summaryText(summary)).toContain('50 chunks carried over from the index before\n');
  expect(summaryText(summary)).toContain('1 page removed (4 chunks)\n');
});

it('an ingestion has not succeeded when a page failed or nothing was ingested', () => {
  const failed = summaryOf((tally) => {
    tally.add(page('a.md', 1, 1));
    tally.fail('b.md', 'The file is not valid UTF-8');
  });
  expect(succeeded(failed)).toBe(false);
  expect(summaryText(failed)).toMatch(/\n1 page failed:\n {2}b\.md: The file is not valid UTF-8\n$/);
  const nothing = summaryOf(() => {}, { removed: undefined });
  expect(succeeded(nothing)).toBe(false);
  expect(summaryText(nothing)).toContain('nothing was removed, and the index is as before');
  expect(summaryJson(nothing).ok).toBe(false);
});

it('the summary counts left-out pages by reason, and names many of them on request alone', () => {
  const summary = summaryOf((tally) => {
    for (let n = 0; n < 5; n += 1) tally.leaveOut({ path: `_p${n}.md`, reason: 'partial' });
    tally.leaveOut({ path: 'b.md', reason: 'duplicate', of: 'a.md' });
  });
  expect(summaryText(summary)).toContain('6 left out: 5 partial, 1 duplicate\n  (their names: --verbose)\n');
  expect(summaryText(summary, true)).toContain('  b.md: duplicate of a.md\n');
});
