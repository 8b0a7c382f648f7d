import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeBlock, heading, list, paragraph } from './prose.js';
import { seededRandom, type Random } from '@quire/testkit/random';

export interface BookPage {
  path: string;
  text: string;
}

export const BASE_URL = 'https://bench.example/docs';
export const CHUNKS_PER_PAGE = 20;
const PAGES_PER_PART = 25;

/** About as many chunks as asked for: every section is long enough to stand alone and short enough to stay whole. */
export function* generatedBook(chunks: number): Generator<BookPage> {
  const pages = Math.max(1, Math.round(chunks / CHUNKS_PER_PAGE));
  for (let number = 1; number <= pages; number += 1) yield page(number);
}

export async function writeBook(folder: string, chunks: number): Promise<void> {
  for (const { path, text } of generatedBook(chunks)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

function page(number: number): BookPage {
  const random = seededRandom(number);
  const title = `${heading(random)} ${number}`;
  const sections = Array.from(
    { length: CHUNKS_PER_PAGE - 1 },
    () => `## ${heading(random)}\n\n${body(random)}`,
  );
  const frontMatter = `---\ntitle: ${title}\nsidebar_position: ${number}\n---`;
  return {
    path: `part-${1 + Math.floor((number - 1) / PAGES_PER_PART)}/page-${number}.md`,
    text: [frontMatter, `# ${title}`, body(random), ...sections].join('\n\n') + '\n',
  };
}

function body(random: Random): string {
  const parts = [paragraph(random, 3 + random.integer(2)), paragraph(random, 2 + random.integer(3))];
  const extra = random.integer(4);
  if (extra === 0) parts.push(list(random));
  if (extra === 1) parts.push(codeBlock(random));
  return parts.join('\n\n');
}
