import { createHash } from 'node:crypto';
import type { Chunk, Page } from '@quire/shared/contracts';
import { chunkId } from './chunk-id.js';
import { packSections, type PackedChunk } from './pack-sections.js';
import { moduleOf } from './page-url.js';
import { readPage, type ReadPage } from './read-page.js';
import { sectionsOf, type Section } from './sections.js';

export interface ChunkedPage {
  url: string;
  title: string;
  /** In reading order, without overlap. */
  chunks: Chunk[];
  /** Why there are no chunks. */
  skipped?: 'draft' | 'stub';
}

/**
 * Chunks follow the heading tree. The text of a Markdown or MDX chunk is `page.text.slice(char_start, char_end)` without
 * NUL, lone surrogates, comments, rules and MDX code; that of an HTML chunk is rendered text.
 */
export function chunkPage(page: Page): ChunkedPage {
  const read = readPage(page);
  const { url, title, outline } = read;
  if (read.isDraft) return { url, title, chunks: [], skipped: 'draft' };
  if (outline.isStub) return { url, title, chunks: [], skipped: 'stub' };
  const occurrences = new Map<string, number>();
  const packed = packSections(sectionsOf(outline.events, title), outline.textOf);
  const chunks = packed.map((chunk, index) =>
    chunkOf(read, { book: page.base_url, module: moduleOf(page) }, chunk, index, occurrences),
  );
  return { url, title, chunks };
}

function anchorsOf(sections: readonly Section[]): string[] {
  return [...new Set(sections.flatMap(({ anchor }) => anchor ?? []))];
}

function chunkOf(
  { url, title, outline, offset, sidebarPosition }: ReadPage,
  { book, module }: { book: string; module: string },
  { section, joined, pieces }: PackedChunk,
  index: number,
  occurrences: Map<string, number>,
): Chunk {
  const text = outline.textOf(pieces);
  const contentHash = createHash('sha256').update(text).digest('hex');
  const address = section.anchor === undefined ? url : `${url}#${section.anchor}`;
  const occurrence = occurrences.get(`${address}\n${contentHash}`) ?? 0;
  occurrences.set(`${address}\n${contentHash}`, occurrence + 1);
  return {
    chunk_id: chunkId(book, address, contentHash, occurrence),
    text,
    title,
    chapter: title,
    section: section.path.join(' > ') || title,
    module,
    url: address,
    ...(joined.length === 0 ? {} : { anchors: anchorsOf([section, ...joined]) }),
    chunk_index: index,
    char_start: offset + (pieces[0]?.start ?? 0),
    char_end: offset + (pieces.at(-1)?.end ?? 0),
    content_hash: contentHash,
    ...(sidebarPosition === undefined ? {} : { sidebar_position: sidebarPosition }),
  };
}
