import type { Headers, Response } from 'undici';
import { UnreadablePage } from '../source-errors.js';
import type { SiteConnection } from './site-connection.js';

const MAX_REDIRECTS = 5;

export interface Fetched {
  /** After redirects. */
  url: URL;
  status: number;
  headers: Headers;
  /** Empty unless the status is 200. */
  bytes: Uint8Array;
}

export interface FetchRules {
  maxBytes: number;
  /** Throws for a redirect that is not allowed. */
  checkRedirect(to: URL): void;
  /** Throws when the body should not be read. */
  checkHeaders?(headers: Headers): void;
}

/** Follows redirects itself, to check each of them. */
export async function followRedirects(
  connection: SiteConnection,
  first: URL,
  rules: FetchRules,
  signal: AbortSignal,
): Promise<Fetched> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await connection.request(url, signal);
    const location = response.status >= 300 && response.status < 400 && response.headers.get('location');
    if (!location) return readResponse(url, response, rules);
    await response.body?.cancel();
    url = redirectTarget(location, url);
    rules.checkRedirect(url);
  }
  throw new UnreadablePage(`More than ${MAX_REDIRECTS} redirects`);
}

async function readResponse(url: URL, response: Response, rules: FetchRules): Promise<Fetched> {
  const { status, headers } = response;
  try {
    if (status !== 200) return { url, status, headers, bytes: new Uint8Array() };
    rules.checkHeaders?.(headers);
    return { url, status, headers, bytes: await readBody(response, rules.maxBytes) };
  } finally {
    if (!response.bodyUsed) await response.body?.cancel();
  }
}

/** Limits the decompressed size, which has no relation to that of the response. */
async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > maxBytes) throw new UnreadablePage(`Larger than ${maxBytes / 1024 / 1024} MB`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function redirectTarget(location: string, from: URL): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new UnreadablePage('Redirects to something that is no web address');
  }
  url.hash = '';
  return url;
}
