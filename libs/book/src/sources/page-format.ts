import type { PageFormat } from '@quire/shared/contracts';

const formats: Readonly<Record<string, PageFormat>> = {
  md: 'markdown',
  mdx: 'mdx',
  html: 'html',
  htm: 'html',
};

/** What a file's name says about it; nothing for a file that is no page. */
export function formatOf(fileName: string): PageFormat | undefined {
  const extension = /\.([a-z]+)$/i.exec(fileName)?.[1];
  return extension === undefined ? undefined : formats[extension.toLowerCase()];
}
