import type { FoundPage } from '../book-source.js';
import { UnreadablePage } from '../source-errors.js';
import { decodeHtml } from './decode-html.js';
import type { FetchRules } from './follow-redirects.js';
import { stayInBook } from './redirect-rules.js';
import type { RobotRules } from './robot-rules.js';
import { sitePath } from './site-address.js';
import type { SiteClient } from './site-client.js';

const MAX_BYTES = 5 * 1024 * 1024;
const HTML = new Set(['text/html', 'application/xhtml+xml']);

export interface Site {
  client: SiteClient;
  base: URL;
  /** Identifies the book. */
  baseUrl: string;
  robots: RobotRules;
}

/** A page of a site, fetched when it is read. */
export function sitePage(url: URL, { client, base, baseUrl, robots }: Site): FoundPage {
  const path = sitePath(url);
  const rules: FetchRules = {
    maxBytes: MAX_BYTES,
    checkRedirect: stayInBook(base, robots),
    checkHeaders: (headers) => expectHtml(headers.get('content-type') ?? ''),
  };
  return {
    path,
    async read(signal) {
      const { status, bytes, headers, url: foundAt } = await client.get(url, rules, signal);
      // The sitemap is out of date; the index must drop the page.
      if (status === 404 || status === 410) throw new UnreadablePage(`HTTP ${status}`, { leftOut: 'gone' });
      if (status !== 200) throw new UnreadablePage(`HTTP ${status}`);
      const text = decodeHtml(bytes, headers.get('content-type') ?? '');
      return { path, format: 'html', layout: 'plain', base_url: baseUrl, url: foundAt.href, text };
    },
  };
}

function expectHtml(contentType: string): void {
  const [mediaType = ''] = contentType.split(';');
  if (HTML.has(mediaType.trim().toLowerCase())) return;
  throw new UnreadablePage(`Not HTML but ${mediaType || 'of unknown type'}`, { leftOut: 'not HTML' });
}
