import { lookup } from 'node:dns/promises';
import { UnusableSource } from '../source-errors.js';

/** Resolves the addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<{ address: string; family: number }[]>;

export interface SiteOptions {
  /** Concurrent requests, 1 to 8. */
  concurrency?: number | undefined;
  maxPages?: number | undefined;
  /** Allows a site that is not on the public internet, such as one on this machine. */
  allowPrivate?: boolean | undefined;
  /** The time limit of a page, from the request to the end of its body. */
  timeLimitMs?: number | undefined;
  /** Wait before the first retry after a broken connection; doubles after that. */
  backoffMs?: number | undefined;
  resolve?: ResolveHost | undefined;
}

export type SiteSettings = { [Name in keyof SiteOptions]-?: Exclude<SiteOptions[Name], undefined> };

export function siteSettings(options: SiteOptions = {}): SiteSettings {
  const { concurrency = 2, maxPages = 10_000, allowPrivate = false } = options;
  const { timeLimitMs = 20_000, backoffMs = 500, resolve = systemResolve } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 8) {
    throw new UnusableSource('A site is read with 1 to 8 requests at once.');
  }
  return { concurrency, maxPages, allowPrivate, timeLimitMs, backoffMs, resolve };
}

const systemResolve: ResolveHost = (hostname) => lookup(hostname, { all: true });
