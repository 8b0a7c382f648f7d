import fc from 'fast-check';
import type { Chunk } from '@quire/shared/contracts';
import { describe, expect, test } from 'vitest';
import { parseHtmlFragment } from '../src/chunking/html/parse-html.js';
import { renderedText } from '../src/chunking/html/rendered-text.js';
import { chunkPage } from '../src/chunking/index.js';
import { htmlPages, type HtmlPage } from './html-pages.js';
import { wordsIn } from './numbered-words.js';
import { pageOf } from './page-of.js';

// All rules are tried on the same pages, so that each page is chunked once.
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

describe('of any HTML page', () => {
  test('the source between the offsets of a chunk renders as its text', () => {
    forAnyPage((chunks, { text: source }) => {
      for (const { char_start: start, char_end: end, text } of chunks)
        expect(withoutSpace(renderedText(parseHtmlFragment(source.slice(start, end))))).toBe(
          withoutSpace(text),
        );
    });
  });

  test('chunks are in order and do not overlap', () => {
    forAnyPage((chunks) => {
      let end = 0;
      for (const chunk of chunks) {
        expect(chunk.char_start).toBeGreaterThanOrEqual(end);
        expect(chunk.char_end).toBeGreaterThan(chunk.char_start);
        end = chunk.char_end;
      }
    });
  });

  test('every word of prose is in exactly one chunk, and no word of the chrome in any', () => {
    forAnyPage((chunks, { words }) => {
      const places = new Map<string, number>();
      for (const { text } of chunks)
        for (const word of wordsIn(text)) places.set(word, (places.get(word) ?? 0) + 1);
      expect(words.prose.filter((word) => places.get(word) !== 1)).toEqual([]);
      expect(words.noise.filter((word) => places.has(word))).toEqual([]);
    });
  });

  test('every word of a heading is in a chunk or in the heading path of one', () => {
    forAnyPage((chunks, { words }) => {
      const found = new Set(chunks.flatMap(({ section, text }) => [...wordsIn(`${section} ${text}`)]));
      expect(words.headings.filter((word) => !found.has(word))).toEqual([]);
    });
  });

  test('no chunk crosses a top-level section or is larger than twice the target', () => {
    forAnyPage((chunks, { words }) => {
      for (const { text } of chunks) {
        const parts = [...wordsIn(text)].map((word) => words.partOf.get(word));
        expect(new Set(parts.filter((part) => part !== undefined)).size).toBeLessThanOrEqual(1);
        expect(text.length).toBeLessThanOrEqual(2400);
      }
    });
  });

  test('chunks have ids of their own', () => {
    forAnyPage((chunks) => {
      expect(new Set(chunks.map(({ chunk_id: id }) => id)).size).toBe(chunks.length);
    });
  });
});
