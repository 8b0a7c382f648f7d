import type { Page } from '@quire/shared/contracts';
import { readHtmlPage } from './html/read-html-page.js';
import { invalidPage } from './invalid-page.js';
import { readMarkdownPage } from './markdown/read-markdown-page.js';
import type { Outline } from './outline.js';
import { fileTitle, pageUrl } from './page-url.js';
import type { FrontMatter } from './front-matter.js';
import { wellFormedText } from './well-formed-text.js';

const BYTE_ORDER_MARK = '\uFEFF';

/** A page as the reader of its format parses it. */
export interface PageContent {
  outline: Outline;
  frontMatter: Partial<FrontMatter>;
}

export interface ReadPage {
  url: string;
  title: string;
  outline: Outline;
  /** The offset of the outline in the page's text. */
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
    // The libraries walk trees recursively: thousands of nested tags exhaust the stack.
    if (cause instanceof RangeError) throw invalidPage('The page is nested too deeply', undefined, cause);
    throw cause;
  }
}
