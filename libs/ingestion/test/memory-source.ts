import { UnreadablePage, type BookSource } from '@quire/book/sources';

export const baseUrl = 'https://book.example/docs';

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
