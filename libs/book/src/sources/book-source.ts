import type { Page, SiteLayout } from '@quire/shared/contracts';
import type { SiteOptions } from './site/site-options.js';

/** A page that is read when its turn comes, so that a book of any size needs little memory. */
export interface FoundPage {
  /** Below the book's root, with forward slashes; for a page of a site its path and query. */
  path: string;
  /** Rejects with `UnreadablePage` when it is the page's own fault, with the signal's reason when that fires. */
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
  /** The page that stands for this one, if it is a duplicate. */
  of?: string;
}

/** Where a book's pages come from: a folder, a file or a web site. */
export interface BookSource {
  /** Tells the user what was found. */
  description: string;
  /** The book's identity. */
  baseUrl: string;
  layout: SiteLayout;
  /** Whether these are all pages of the book; if not, nothing else of it may be removed. */
  whole: boolean;
  /** Sorted by path. */
  pages: FoundPage[];
  leftOut: LeftOut[];
  /** Ends what is under way and closes every connection; may be called again. */
  close(): Promise<void>;
}

export interface SourceOptions {
  /** Where the pages are published; for a site, only what is below it belongs to the book. */
  baseUrl?: string | undefined;
  /** Found out when absent. */
  layout?: SiteLayout | undefined;
  /** Whether translated pages belong to the book. */
  translations?: boolean | undefined;
  site?: SiteOptions | undefined;
  /** Ends the opening and everything that is read later. */
  signal: AbortSignal;
  /** Tells the user what is odd but no reason to stop. */
  note(text: string): void;
}
