import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chunkPage } from '../src/chunking/index.js';
import { pageOf } from './page-of.js';

const folder = new URL('../../../books/physical-ai/docs/', import.meta.url);
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.md'),
);

it.each(paths)('the page %s of the sample book has chunks of a useful size', (path) => {
  const text = readFileSync(new URL(path, folder), 'utf8');
  const { chunks, skipped } = chunkPage(pageOf(text, { path }));
  expect(skipped).toBeUndefined();
  expect(chunks.length).toBeGreaterThan(5);
  for (const chunk of chunks) {
    expect(text.slice(chunk.char_start, chunk.char_end)).toBe(chunk.text);
    expect(chunk.text.length).toBeGreaterThan(100);
    expect(chunk.text.length).toBeLessThanOrEqual(2400);
  }
});
