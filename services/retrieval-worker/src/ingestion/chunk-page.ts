import { createHash } from 'node:crypto';
import type { Chunk } from '@quire/shared/contracts';
import { chunkId } from './chunk-id.js';
import { packBlocks } from './pack-blocks.js';
import type { ParsedPage } from './parse-page.js';

/** Chunks follow the heading tree; `source.slice(char_start, char_end) === text` holds for each. */
export function chunkPage(page: ParsedPage): Chunk[] {
  const occurrences = new Map<string, number>();
  const placed = page.sections.flatMap((section) =>
    packBlocks(page.source, section.blocks).map((span) => ({ section, span })),
  );
  return placed.map(({ section, span }, index) => {
    const text = page.source.slice(span.start, span.end);
    const contentHash = createHash('sha256').update(text).digest('hex');
    const url = section.anchor === undefined ? page.url : `${page.url}#${section.anchor}`;
    const place = `${url}\n${contentHash}`;
    const occurrence = occurrences.get(place) ?? 0;
    occurrences.set(place, occurrence + 1);
    return {
      chunk_id: chunkId(url, contentHash, occurrence),
      text,
      title: page.title,
      chapter: page.title,
      section: section.path.join(' > ') || page.title,
      module: page.module,
      url,
      chunk_index: index,
      char_start: span.start,
      char_end: span.end,
      content_hash: contentHash,
    };
  });
}

/** A passage out of its place says too little: it is embedded with its heading path in front. */
export function embeddedText({ chapter, section, text }: Chunk): string {
  return `${section === chapter ? chapter : `${chapter} > ${section}`}\n\n${text}`;
}
