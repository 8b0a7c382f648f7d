export type { BookSource, FoundPage, LeftOut, LeftOutReason, SourceOptions } from './book-source.js';
export { DuplicatePages, type Duplicate } from './duplicates/duplicate-pages.js';
export { openSource } from './open-source.js';
export type { ResolveHost, SiteOptions } from './site/site-options.js';
export { UnreadablePage, UnusableSource } from './source-errors.js';
