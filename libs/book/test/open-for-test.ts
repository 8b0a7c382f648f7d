import { onTestFinished } from 'vitest';
import { openSource, type BookSource, type FoundPage, type SourceOptions } from '../src/sources/index.js';

export interface OpenedForTest extends BookSource {
  notes: string[];
}

/** Opens a source with the defaults of most tests: a base URL for files, no delays and any address for sites. */
export async function openForTest(
  source: string,
  { site, ...options }: Partial<SourceOptions> = {},
): Promise<OpenedForTest> {
  const notes: string[] = [];
  const opened = await openSource(source, {
    ...(source.includes('://') ? {} : { baseUrl: 'https://book.example' }),
    signal: new AbortController().signal,
    note: (text) => void notes.push(text),
    site: { allowPrivate: true, backoffMs: 1, ...site },
    ...options,
  });
  onTestFinished(() => opened.close());
  return { ...opened, notes };
}

export const pathsOf = ({ pages }: BookSource) => pages.map(({ path }) => path);

/** Reads one page of an opened source. */
export const readPage = (
  { pages }: BookSource,
  path: string,
  signal: AbortSignal = new AbortController().signal,
): ReturnType<FoundPage['read']> => {
  const page = pages.find((each) => each.path === path);
  if (page === undefined) throw new Error(`There is no page ${path}`);
  return page.read(signal);
};
