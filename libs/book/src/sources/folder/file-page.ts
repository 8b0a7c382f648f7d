import type { PageFormat, SiteLayout } from '@quire/shared/contracts';
import type { FoundPage } from '../book-source.js';
import { readTextFile } from './read-text-file.js';

export interface PageFile {
  path: string;
  file: string;
  format: PageFormat;
  layout: SiteLayout;
  baseUrl: string;
  module?: string | undefined;
}

/** A page on disk. */
export function filePage({ path, file, format, layout, baseUrl, module }: PageFile): FoundPage {
  return {
    path,
    async read(signal) {
      signal.throwIfAborted();
      const text = await readTextFile(file);
      return { path, format, layout, base_url: baseUrl, ...(module === undefined ? {} : { module }), text };
    },
  };
}
