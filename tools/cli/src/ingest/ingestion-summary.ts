import { succeeded, type IngestionReport } from '@quire/ingestion';
import { counted, grouped } from '../counted.js';
import { failureLines, leftOutLines } from './page-lists.js';

/** With `everyName` all pages that were left out are named, however many. */
export function summaryText(report: IngestionReport, everyName = false): string {
  const { tally, removed, replaced, elapsedMs } = report;
  const { chunks, embedded, carried } = tally;
  const lines = [
    `${counted(tally.ingested.length, 'page')} ingested in ${(elapsedMs / 1000).toFixed(1)} s`,
    `${counted(chunks, 'chunk')}: ${grouped(embedded)} embedded, ${grouped(chunks - embedded)} reused`,
    ...(replaced === undefined ? [] : [`${counted(carried, 'chunk')} carried over from the index before`]),
    ...(removed && removed.removed_pages > 0
      ? [`${counted(removed.removed_pages, 'page')} removed (${counted(removed.removed_chunks, 'chunk')})`]
      : []),
    ...leftOutLines(tally.leftOut, everyName),
    ...failureLines(tally.failed),
    ...(removed ? [] : ['No page was ingested: nothing was removed, and the index is as before.']),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

export function summaryJson(report: IngestionReport) {
  const { source, tally, removed, index, collection, embedder, replaced, elapsedMs } = report;
  return {
    ok: succeeded(report),
    source: source.description,
    base_url: source.baseUrl,
    layout: source.layout,
    index,
    collection,
    embedder,
    replaced_collection: replaced ?? null,
    pages: {
      found: tally.found,
      ingested: tally.ingested.length,
      failed: tally.failed.length,
      left_out: tally.leftOut.length,
      removed: removed?.removed_pages ?? 0,
    },
    chunks: {
      total: tally.chunks,
      embedded: tally.embedded,
      reused: tally.chunks - tally.embedded,
      carried: tally.carried,
      removed: removed?.removed_chunks ?? 0,
    },
    left_out: tally.leftOut,
    failures: tally.failed,
    seconds: elapsedMs / 1000,
  };
}
