import { UnreadablePage, type BookSource } from '@quire/book/sources';
import { baseUrl } from './book-folder.js';

export interface MemorySourceOptions {
  whole?: boolean;
  onRead?: (path: string) => void;
}

/** A book whose pages are given by path; a page that is an error cannot be read. */
export function memorySource(
  pages: Record<string, string | UnreadablePage>,
  { whole = true, onRead = () => {} }: MemorySourceOptions = {},
): BookSource {
  return {
    description: `${Object.keys(pages).length} pages in memory`,
    baseUrl,
    layout: 'plain',
    whole,
    leftOut: [],
    pages: Object.entries(pages).map(([path, text]) => ({
      path,
      async read() {
        onRead(path);
        if (text instanceof UnreadablePage) throw text;
        return { path, format: 'markdown', layout: 'plain', base_url: baseUrl, text };
      },
    })),
    close: async () => {},
  };
}
