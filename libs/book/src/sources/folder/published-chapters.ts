import { join } from 'node:path';
import type { LeftOut } from '../book-source.js';
import { UnreadablePage, UnusableSource } from '../source-errors.js';
import type { Listing } from './list-folder.js';
import { readSummary, type Chapter } from './mdbook-summary.js';
import { readTextFile } from './read-text-file.js';
import { SUMMARY } from './site-generator.js';

export interface PublishedChapters {
  /** The part's title for each published path. */
  parts: Map<string, string | undefined>;
  leftOut: LeftOut[];
}

/** The pages that mdBook publishes: the chapters of SUMMARY.md alone. */
export async function publishedChapters(
  folder: string,
  { paths, leftOut }: Listing,
  note: (text: string) => void,
): Promise<PublishedChapters> {
  // mdBook has no partials: a chapter may have any name.
  const existing = new Set([...paths, ...leftOut.map(({ path }) => path)]);
  const parts = new Map<string, string | undefined>();
  for (const chapter of await chaptersOf(folder)) {
    const path = spellings(chapter).find((spelling) => existing.has(spelling));
    if (path === undefined) note(`SUMMARY.md links to ${chapter.link}, which does not exist.`);
    else parts.set(path, chapter.part);
  }
  const unlinked = paths
    .filter((path) => path !== SUMMARY && !parts.has(path))
    .map((path): LeftOut => ({ path, reason: 'not in SUMMARY.md' }));
  return { parts, leftOut: [...leftOut.filter(({ path }) => !parts.has(path)), ...unlinked] };
}

async function chaptersOf(folder: string): Promise<Chapter[]> {
  const file = join(folder, SUMMARY);
  try {
    return readSummary(await readTextFile(file));
  } catch (cause) {
    if (!(cause instanceof UnreadablePage)) throw cause;
    throw new UnusableSource(
      `${file}: ${cause.message}. mdBook publishes the linked pages alone; with the layout "plain" every page is ingested.`,
      { cause },
    );
  }
}

/** A link may be percent-encoded, and a file's name may contain a percent sign. */
function spellings({ link }: Chapter): string[] {
  try {
    return [link, decodeURIComponent(link)];
  } catch {
    return [link];
  }
}
