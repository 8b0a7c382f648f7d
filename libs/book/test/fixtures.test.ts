import { readdirSync, readFileSync } from 'node:fs';
import type { Chunk, Page } from '@quire/shared/contracts';
import { expect, it } from 'vitest';
import { chunkPage } from '../src/chunking/index.js';
import { pageOf } from './page-of.js';

interface Expected {
  page: Partial<Page>;
  url: string;
  title: string;
  skipped?: string;
  sidebar_position?: number;
  module?: string;
  chunks: { section: string; url: string; char_start: number; char_end: number; text: string }[];
}

const folder = new URL('fixtures/', import.meta.url);
const formats = { md: 'markdown', mdx: 'mdx', html: 'html' } as const;
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');

const fixtures = readdirSync(folder)
  .filter((file) => !file.endsWith('.json'))
  .map((file) => {
    const [name = '', extension = ''] = file.split('.');
    const expected = JSON.parse(read(`${name}.expected.json`)) as Expected;
    const format = formats[extension as keyof typeof formats];
    return { file, expected, page: pageOf(read(file), { ...expected.page, format }) };
  });
/** In these fixtures, comments and rules are within chunks. */
const withHoles = new Set(
  'comments.md jsx-in-markdown.md mdbook-includes.md mdx-noise.mdx noise.md not-mdx-after-all.md raw-html.md'.split(
    ' ',
  ),
);
const sourceFixtures = fixtures.filter(({ page }) => page.format !== 'html');

/** Every character of the chunk is in the source, in order; the source may have more. */
function expectSource({ file, text: source }: { file: string; text: string }, chunk: Chunk): void {
  const slice = source.slice(chunk.char_start, chunk.char_end);
  if (!withHoles.has(file)) expect(chunk.text).toBe(slice);
  let end = 0;
  for (const character of chunk.text) end = slice.indexOf(character, end) + character.length;
  expect(end).toBe(slice.length);
}

it.each(fixtures)('the fixture $file has the expected chunks', ({ page, expected }) => {
  const { chunks, ...rest } = chunkPage(page);
  const { chunks: expectedChunks, page: _, sidebar_position: position, module, ...expectedRest } = expected;
  expect(rest).toEqual(expectedRest);
  expect(
    chunks.map(({ section, url, char_start, char_end, text }) => ({
      section,
      url,
      char_start,
      char_end,
      text,
    })),
  ).toEqual(expectedChunks);
  for (const chunk of chunks) expect(chunk).toMatchObject({ title: rest.title, chapter: rest.title, module });
  for (const chunk of chunks) expect(chunk.sidebar_position).toBe(position);
});

it.each(sourceFixtures)(
  'each chunk of the fixture $file is the source between its offsets',
  ({ file, page }) => {
    for (const chunk of chunkPage(page).chunks) expectSource({ file, text: page.text }, chunk);
  },
);

it.each(fixtures)(
  'a byte order mark in the fixture $file shifts the offsets and changes nothing else',
  ({ page }) => {
    const plain = chunkPage(page);
    const marked = chunkPage({ ...page, text: `\uFEFF${page.text}` });
    const shifted = plain.chunks.map((chunk) => ({
      id: chunk.chunk_id,
      start: chunk.char_start + 1,
      end: chunk.char_end + 1,
    }));
    expect(marked.title).toBe(plain.title);
    expect(
      marked.chunks.map((chunk) => ({ id: chunk.chunk_id, start: chunk.char_start, end: chunk.char_end })),
    ).toEqual(shifted);
  },
);

const short = fixtures.filter(({ page }) => page.text.length < 1000);
it.each(short)('Windows line ends in the fixture $file change nothing else', ({ file, page }) => {
  const withCrlf = { ...page, text: page.text.replaceAll('\n', '\r\n') };
  const chunks = chunkPage(withCrlf).chunks;
  expect(
    chunks.map(({ section, url, text }) => ({ section, url, text: text.replaceAll('\r\n', '\n') })),
  ).toEqual(chunkPage(page).chunks.map(({ section, url, text }) => ({ section, url, text })));
  if (page.format !== 'html') for (const chunk of chunks) expectSource({ file, text: withCrlf.text }, chunk);
});
