import { counted, grouped } from '../counted.js';
import { plainTable } from '../golden/plain-table.js';
import type { IndexStatus } from './index-status.js';

const HOW_TO_FILL = 'bring a book into it with `quire ingest` (see `quire ingest --help`)';

export function statusText({ index, current, beingBuilt }: IndexStatus): string {
  const building = beingBuilt.map(
    ({ collection, chunks }) => `Being built: ${collection} (${counted(chunks, 'chunk')})\n`,
  );
  if (!current) return [`There is no index yet: ${HOW_TO_FILL}.\n`, ...building].join('');
  const { collection, embedder, dimensions, points, bytes, books } = current;
  const facts = [
    `Index       ${index}`,
    `Collection  ${collection}`,
    `Embedder    ${embedder} (${grouped(dimensions)} dimensions)`,
    `Chunks      ${grouped(points)}`,
    `Size        ${bytes === undefined ? '–' : size(bytes)}`,
  ];
  const rows = books.map(({ baseUrl, pages, chunks, lastRun }) => [
    baseUrl,
    grouped(pages),
    grouped(chunks),
    lastRunText(lastRun),
  ]);
  return [
    ...facts.map((line) => `${line}\n`),
    ...building,
    '\n',
    books.length === 0
      ? `The index holds no book: ${HOW_TO_FILL}.\n`
      : plainTable(['Book', 'Pages', 'Chunks', 'Last run (UTC)'], rows),
  ].join('');
}

export function statusJson({ index, current, beingBuilt }: IndexStatus) {
  return {
    index,
    collection: current?.collection ?? null,
    embedder: current?.embedder ?? null,
    dimensions: current?.dimensions ?? null,
    chunks: current?.points ?? 0,
    size_bytes: current?.bytes ?? null,
    books: (current?.books ?? []).map(({ baseUrl, pages, chunks, lastRun }) => ({
      base_url: baseUrl,
      pages,
      chunks,
      last_run: lastRun ?? null,
    })),
    being_built: beingBuilt,
  };
}

/** `2026-11-16T18:40:12.345Z` → `2026-11-16 18:40` */
export const lastRunText = (timestamp: string | undefined) =>
  timestamp === undefined ? 'never finished' : timestamp.slice(0, 16).replace('T', ' ');

export function size(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  const step = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** step).toFixed(1)} ${['B', 'kB', 'MB', 'GB'][step]}`;
}
