import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chunkPage } from '@quire/book/chunking';
import type { Chunk } from '@quire/shared/contracts';
import { beforeAll, expect, it } from 'vitest';
import { areaUnderCurve } from '../src/calibrate/probability-quality.js';
import { requireEnough, splitInHalves } from '../src/calibrate/halves.js';
import { isInSection } from '../src/golden/expected-section.js';
import { isInScope, questionTypes, type GoldenQuestion } from '../src/golden/golden-question.js';
import { readGoldenFile } from '../src/golden/read-golden-file.js';

const book = fileURLToPath(new URL('../../../books/physical-ai/', import.meta.url));
let questions: GoldenQuestion[];
let chunks: Chunk[];

async function chunksOfBook(): Promise<Chunk[]> {
  const docs = join(book, 'docs');
  const paths = (await readdir(docs, { recursive: true })).filter((path) => path.endsWith('.md'));
  const pages = await Promise.all(
    paths.map(async (path) =>
      chunkPage({
        path,
        format: 'markdown',
        layout: 'docusaurus',
        base_url: 'https://book.example/docs',
        text: await readFile(join(docs, path), 'utf8'),
      }),
    ),
  );
  return pages.flatMap((page) => page.chunks);
}

beforeAll(async () => {
  questions = await readGoldenFile(join(book, 'golden.jsonl'));
  chunks = await chunksOfBook();
});

it('the sample golden file has at least 60 questions, of all four types, and enough to calibrate with', () => {
  expect(questions.length).toBeGreaterThanOrEqual(60);
  expect(new Set(questions.map(({ type }) => type))).toEqual(new Set(questionTypes));
  requireEnough(splitInHalves(questions));
});

it('the sample golden file has in-scope and out-of-scope questions of the same length', () => {
  const labelled = questions.map((question) => ({
    score: question.question.split(/\s+/).length,
    label: isInScope(question),
  }));
  const area = areaUnderCurve(labelled);
  expect(Math.max(area, 1 - area)).toBeLessThan(0.65);
});

it('the sample golden file expects only sections that the book has, each on one page alone', () => {
  const sections = [...new Set(questions.flatMap(({ expected }) => expected))];
  const pagesOf = (section: string) =>
    new Set(chunks.filter((chunk) => isInSection(section, chunk)).map(({ url }) => url.split('#')[0]));
  expect(sections.filter((section) => pagesOf(section).size !== 1)).toEqual([]);
});
