import type { Page, SiteLayout } from '@quire/shared/contracts';
import type { SiteOptions } from './site/site-options.js';

/** A page that is read when needed, so that a book of any size needs little memory. */
export interface FoundPage {
  /** Below the book's root, with forward slashes; for a page of a site its path and query. */
  path: string;
  /** Rejects with `UnreadablePage` when the page is at fault, with the signal's reason when that fires. */
  read(signal: AbortSignal): Promise<Page>;
}

export type LeftOutReason =
  | 'partial'
  | 'translation'
  | 'build output'
  | 'symbolic link'
  | 'not in SUMMARY.md'
  | 'other host'
  | 'outside the book'
  | 'disallowed by robots.txt'
  | 'not HTML'
  | 'gone'
  | 'duplicate'
  | 'near-duplicate';

export interface LeftOut {
  path: string;
  reason: LeftOutReason;
  /** The page that this one duplicates. */
  of?: string;
}

/** Where a book's pages come from: a folder, a file or a web site. */
export interface BookSource {
  /** A description for people: what was found where. */
  description: string;
  /** Identifies the book. */
  baseUrl: string;
  layout: SiteLayout;
  /** Whether these are all pages of the book; if not, no other page of it may be removed. */
  whole: boolean;
  /** Sorted by path. */
  pages: FoundPage[];
  leftOut: LeftOut[];
  /** Ends pending reads and closes every connection; may be called again. */
  close(): Promise<void>;
}

export interface SourceOptions {
  /** Where the pages are published; for a site, the pages below it are the book. */
  baseUrl?: string | undefined;
  /** Detected when absent. */
  layout?: SiteLayout | undefined;
  /** Whether translated pages belong to the book. */
  translations?: boolean | undefined;
  site?: SiteOptions | undefined;
  /** Ends the opening and all later reads. */
  signal: AbortSignal;
  /** Receives warnings for the user. */
  note(text: string): void;
}
