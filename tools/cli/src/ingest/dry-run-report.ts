import type { BookPreview, PagePreview } from '@quire/ingestion';
import { counted, grouped } from '../counted.js';
import { failureLines, leftOutLines } from './page-lists.js';

export function dryRunLine({ path, url, chunks, characters }: PagePreview): string {
  return `${path} → ${url}  (${counted(chunks, 'chunk')}, ${counted(characters, 'character')})\n`;
}

export function dryRunText({ tally, pages }: BookPreview, everyName = false): string {
  const characters = pages.reduce((sum, page) => sum + page.characters, 0);
  const lines = [
    `${counted(pages.length, 'page')}, ${counted(tally.chunks, 'chunk')}, ${grouped(characters)} characters`,
    ...leftOutLines(tally.leftOut, everyName),
    ...failureLines(tally.failed),
    'Nothing was written: this was a dry run.',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

export function dryRunJson({ source, tally, pages }: BookPreview) {
  return {
    ok: tally.failed.length === 0 && pages.length > 0,
    dry_run: true,
    source: source.description,
    base_url: source.baseUrl,
    layout: source.layout,
    pages,
    chunks: tally.chunks,
    left_out: tally.leftOut,
    failures: tally.failed,
  };
}
