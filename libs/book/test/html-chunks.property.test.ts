import fc from 'fast-check';
import type { Chunk } from '@quire/shared/contracts';
import { expect, it } from 'vitest';
import { parseHtmlFragment } from '../src/chunking/html/parse-html.js';
import { renderedText } from '../src/chunking/html/rendered-text.js';
import { chunkPage } from '../src/chunking/index.js';
import { htmlPages, type HtmlPage } from './html-pages.js';
import { wordsIn } from './numbered-words.js';
import { pageOf } from './page-of.js';

// All rules are checked on the same pages, so that each page is chunked once.
const seed = Date.now();
const known = new Map<string, Chunk[]>();

function forAnyPage(rule: (chunks: Chunk[], page: HtmlPage) => void): void {
  fc.assert(
    fc.property(htmlPages, (page) => {
      const chunks = known.get(page.text) ?? chunkPage(pageOf(page.text, { format: 'html' })).chunks;
      known.set(page.text, chunks);
      rule(chunks, page);
    }),
    { numRuns: 50, seed },
  );
}

const withoutSpace = (text: string) => text.replaceAll(/\s+/g, '');

it('the source between the offsets of any HTML chunk renders as its text', () => {
  forAnyPage((chunks, { text: source }) => {
    for (const { char_start: start, char_end: end, text } of chunks)
      expect(withoutSpace(renderedText(parseHtmlFragment(source.slice(start, end))))).toBe(
        withoutSpace(text),
      );
  });
});

it('the chunks of any HTML page are in order and do not overlap', () => {
  forAnyPage((chunks) => {
    let end = 0;
    for (const chunk of chunks) {
      expect(chunk.char_start).toBeGreaterThanOrEqual(end);
      expect(chunk.char_end).toBeGreaterThan(chunk.char_start);
      end = chunk.char_end;
    }
  });
});

it('every word of prose of any HTML page is in exactly one chunk, and no word of its navigation is in any', () => {
  forAnyPage((chunks, { words }) => {
    const counts = new Map<string, number>();
    for (const { text } of chunks)
      for (const word of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
    expect(words.prose.filter((word) => counts.get(word) !== 1)).toEqual([]);
    expect(words.noise.filter((word) => counts.has(word))).toEqual([]);
  });
});

it('every word of a heading of any HTML page is in a chunk or its heading path', () => {
  forAnyPage((chunks, { words }) => {
    const found = new Set(chunks.flatMap(({ section, text }) => [...wordsIn(`${section} ${text}`)]));
    expect(words.headings.filter((word) => !found.has(word))).toEqual([]);
  });
});

it('no chunk of any HTML page crosses a top-level section or is larger than twice the target', () => {
  forAnyPage((chunks, { words }) => {
    for (const { text } of chunks) {
      const parts = [...wordsIn(text)].map((word) => words.partOf.get(word));
      expect(new Set(parts.filter((part) => part !== undefined)).size).toBeLessThanOrEqual(1);
      expect(text.length).toBeLessThanOrEqual(2400);
    }
  });
});

it('the chunks of any HTML page have unique ids', () => {
  forAnyPage((chunks) => {
    expect(new Set(chunks.map(({ chunk_id: id }) => id)).size).toBe(chunks.length);
  });
});
