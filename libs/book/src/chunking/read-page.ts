import type { Page } from '@quire/shared/contracts';
import { readHtmlPage } from './html/read-html-page.js';
import { invalidPage } from './invalid-page.js';
import { readMarkdownPage } from './markdown/read-markdown-page.js';
import type { Outline } from './outline.js';
import { fileTitle, pageUrl } from './page-url.js';
import type { FrontMatter } from './front-matter.js';
import { wellFormedText } from './well-formed-text.js';

const BYTE_ORDER_MARK = '\uFEFF';

/** What the reader of one format makes of a page. */
export interface PageContent {
  outline: Outline;
  frontMatter: Partial<FrontMatter>;
}

export interface ReadPage {
  url: string;
  title: string;
  outline: Outline;
  /** Where in the page's text the outline's offsets begin. */
  offset: number;
  sidebarPosition: number | undefined;
  isDraft: boolean;
}

export function readPage(page: Page): ReadPage {
  const offset = page.text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const { outline, frontMatter } = readContent(page, wellFormedText(page.text.slice(offset)));
  return {
    url: pageUrl(page, frontMatter),
    title: frontMatter.title || outline.title || fileTitle(page),
    outline,
    offset,
    sidebarPosition: frontMatter.sidebarPosition,
    isDraft: frontMatter.isDraft ?? false,
  };
}

function readContent({ format, layout }: Page, source: string): PageContent {
  try {
    return format === 'html' ? readHtmlPage(source) : readMarkdownPage(source, format, layout);
  } catch (cause) {
    // The libraries walk trees by recursion: thousands of levels of tags exhaust the stack, and only that.
    if (cause instanceof RangeError) throw invalidPage('The page is nested too deeply', undefined, cause);
    throw cause;
  }
}
