import { chunkPage, embeddedText } from '@quire/book/chunking';
import { expect, it } from 'vitest';
import { BASE_URL, generatedBook } from './generated-book.js';

const textsOf = (chunks: number) =>
  [...generatedBook(chunks)].flatMap(({ path, text }) =>
    chunkPage({ path, text, format: 'markdown', layout: 'plain', base_url: BASE_URL }).chunks.map(
      embeddedText,
    ),
  );

it('the generated book has the requested number of chunks, all of them different', () => {
  const texts = textsOf(200);
  expect(texts.length).toBeGreaterThan(190);
  expect(texts.length).toBeLessThan(210);
  expect(new Set(texts).size).toBe(texts.length);
});

it('the generated book is the same every time', () => {
  expect([...generatedBook(40)]).toEqual([...generatedBook(40)]);
});
