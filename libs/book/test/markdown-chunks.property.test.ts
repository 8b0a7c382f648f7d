import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { chunkSchema, type Chunk } from '@quire/shared/contracts';
import { expect, it } from 'vitest';
import { chunkPage } from '../src/chunking/index.js';
import { markdownPages, type MarkdownPage } from './markdown-pages.js';
import { wordsIn } from './numbered-words.js';
import { pageOf } from './page-of.js';

// All rules are checked on the same pages, so that each page is chunked once.
const seed = Date.now();
const known = new Map<string, Chunk[]>();

function forAnyPage(rule: (chunks: Chunk[], page: MarkdownPage) => void): void {
  fc.assert(
    fc.property(markdownPages, (page) => {
      const key = page.format + page.text;
      const chunks = known.get(key) ?? chunkPage(pageOf(page.text, { format: page.format })).chunks;
      known.set(key, chunks);
      rule(chunks, page);
    }),
    { numRuns: 50, seed },
  );
}

/** Tags of tabs belong to their content. */
const withoutSpace = (text: string) => text.replaceAll(/\s+|<\/?Tab[^>]*>/g, '');

it('a chunk of any Markdown page is the source between its offsets, without noise', () => {
  forAnyPage((chunks, { text, words }) => {
    for (const chunk of chunks) {
      const source = text.slice(chunk.char_start, chunk.char_end);
      const holes = words.holes.filter((hole) => source.includes(hole));
      if (holes.length === 0) expect(chunk.text).toBe(source);
      const shown = holes.reduce((rest, hole) => rest.replaceAll(hole, ''), source);
      expect(withoutSpace(chunk.text)).toBe(withoutSpace(shown));
      // It starts and ends with shown text.
      expect(chunk.text.slice(0, 1)).toBe(source.slice(0, 1));
      expect(chunk.text.slice(-1)).toBe(source.slice(-1));
    }
  });
});

it('the chunks of any Markdown page are in order and do not overlap', () => {
  forAnyPage((chunks) => {
    let end = 0;
    for (const [index, chunk] of chunks.entries()) {
      expect(chunk.chunk_index).toBe(index);
      expect(chunk.char_start).toBeGreaterThanOrEqual(end);
      expect(chunk.char_end).toBeGreaterThan(chunk.char_start);
      end = chunk.char_end;
    }
  });
});

it('every word of prose of any Markdown page is in exactly one chunk, and no word of noise is in one', () => {
  forAnyPage((chunks, { words }) => {
    const places = new Map<string, number>();
    for (const { text } of chunks)
      for (const word of wordsIn(text)) places.set(word, (places.get(word) ?? 0) + 1);
    expect(words.prose.filter((word) => places.get(word) !== 1)).toEqual([]);
    expect(words.noise.filter((word) => places.has(word))).toEqual([]);
  });
});

it('every word of a heading of any Markdown page is in a chunk or its heading path', () => {
  forAnyPage((chunks, { words }) => {
    const found = new Set(chunks.flatMap(({ section, text }) => [...wordsIn(`${section} ${text}`)]));
    expect(words.headings.filter((word) => !found.has(word))).toEqual([]);
  });
});

it('no chunk of any Markdown page crosses a top-level section', () => {
  forAnyPage((chunks, { words }) => {
    for (const { text } of chunks) {
      const parts = [...wordsIn(text)].map((word) => words.partOf.get(word));
      expect(new Set(parts.filter((part) => part !== undefined)).size).toBeLessThanOrEqual(1);
    }
  });
});

it('no chunk of any Markdown page is larger than twice the target', () => {
  forAnyPage((chunks) => {
    for (const { text } of chunks) expect(text.length).toBeLessThanOrEqual(2400);
  });
});

it('the chunks of any Markdown page have unique ids, their hashes and a valid shape', () => {
  forAnyPage((chunks) => {
    expect(new Set(chunks.map(({ chunk_id: id }) => id)).size).toBe(chunks.length);
    for (const chunk of chunks) {
      expect(chunk.content_hash).toBe(createHash('sha256').update(chunk.text).digest('hex'));
      expect(chunkSchema.parse(chunk)).toEqual(chunk);
    }
  });
});
