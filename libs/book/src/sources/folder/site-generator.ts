import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { UnusableSource } from '../source-errors.js';

/** The site generator of a folder, detected by its configuration file. */
export interface SiteGenerator {
  layout: 'docusaurus' | 'mdbook';
  /** The folder of its configuration. */
  home: string;
  /** The folder of its pages; for Docusaurus, whose configuration is code, the default one. */
  pages: string;
}

export const isDocusaurusConfig = (name: string) => /^docusaurus\.config\.[cm]?[jt]s$/.test(name);
export const MDBOOK_CONFIG = 'book.toml';
export const SUMMARY = 'SUMMARY.md';

const bookTomlSchema = z.object({
  book: z.object({ src: z.string().default('src') }).default({ src: 'src' }),
});

/** Checks one folder alone. */
export async function generatorAt(folder: string): Promise<SiteGenerator | undefined> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.some(isDocusaurusConfig)) {
    return { layout: 'docusaurus', home: folder, pages: join(folder, 'docs') };
  }
  if (names.includes(MDBOOK_CONFIG)) {
    return { layout: 'mdbook', home: folder, pages: await mdbookPages(folder) };
  }
  return names.includes(SUMMARY) ? { layout: 'mdbook', home: folder, pages: folder } : undefined;
}

/** The folder itself and those above it, nearest first. */
export function* upwards(folder: string, levels: number): Iterable<string> {
  for (let current = folder, level = 0; level <= levels; level += 1) {
    yield current;
    const above = dirname(current);
    if (above === current) return;
    current = above;
  }
}

async function mdbookPages(folder: string): Promise<string> {
  const file = join(folder, MDBOOK_CONFIG);
  try {
    return resolve(folder, bookTomlSchema.parse(parse(await readFile(file, 'utf8'))).book.src);
  } catch (cause) {
    throw new UnusableSource(`${file} cannot be used: ${firstLine(cause)}`, { cause });
  }
}

function firstLine(cause: unknown): string {
  return (cause instanceof z.ZodError ? '`src` must be text' : (cause as Error).message).split('\n')[0] ?? '';
}
