import type { PageFormat } from '@quire/shared/contracts';

const formats: Readonly<Record<string, PageFormat>> = {
  md: 'markdown',
  mdx: 'mdx',
  html: 'html',
  htm: 'html',
};

/** The format of a page by its file name; undefined for other files. */
export function formatOf(fileName: string): PageFormat | undefined {
  const extension = /\.([a-z]+)$/i.exec(fileName)?.[1];
  return extension === undefined ? undefined : formats[extension.toLowerCase()];
}
