import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export const baseUrl = 'https://book.example/docs';

/** A folder with these pages, removed when the test is over. */
export async function bookFolder(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-book-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

/** Pages `page-000.md`, `page-001.md` … that are not alike. */
export function manyPages(count: number): Record<string, string> {
  const word = (n: number) => `w${(n * 7919).toString(36)}`;
  const text = (page: number) => Array.from({ length: 60 }, (_, n) => word(page * 1000 + n)).join(' ');
  const pages = Array.from({ length: count }, (_, n) => [
    `page-${String(n).padStart(3, '0')}.md`,
    `# Page ${n}\n\n${text(n)}\n`,
  ]);
  return Object.fromEntries(pages) as Record<string, string>;
}
