import { z } from 'zod';

export const pageFormatSchema = z.enum(['markdown', 'mdx', 'html']);
export type PageFormat = z.infer<typeof pageFormatSchema>;

/** The site generator that publishes the pages; it determines their URLs and heading anchors. */
export const siteLayoutSchema = z.enum(['docusaurus', 'mdbook', 'plain']);
export type SiteLayout = z.infer<typeof siteLayoutSchema>;

/** One page of a book to be ingested. */
export const pageSchema = z.object({
  /** Path below the book's root, with forward slashes; identifies the page across ingestions. */
  path: z.string().min(1),
  format: pageFormatSchema,
  layout: siteLayoutSchema,
  base_url: z.url(),
  /** For pages of a site; other pages get their URL from base URL, path and front matter. */
  url: z.url().optional(),
  /** The part of the book, from its table of contents; by default the first folder. */
  module: z.string().optional(),
  text: z.string(),
});
export type Page = z.infer<typeof pageSchema>;

/** A book is identified by its base URL; an index may hold several. */
const book = z.url();
/** Identifies an ingestion; tasks of an ingestion that another one has replaced do nothing. */
const ingestion_id = z.uuid();
const collection = z.string().min(1);

/**
 * The steps of an ingestion. `open` returns the collection that the pages go to: the current one or, if another embedder
 * made that, a new one. `carry` copies the chunks of other books to it in batches. `close` removes pages that no longer
 * exist and makes the new collection current.
 */
export const ingestTaskSchema = z.discriminatedUnion('task', [
  z.object({ task: z.literal('open'), ingestion_id }),
  z.object({ task: z.literal('page'), ingestion_id, book, collection, page: pageSchema }),
  z.object({
    task: z.literal('carry'),
    ingestion_id,
    from: collection,
    collection,
    /** The book whose chunks are not carried, since its pages were ingested again. */
    except_book: book.optional(),
    cursor: z.string().optional(),
  }),
  z.object({
    task: z.literal('close'),
    ingestion_id,
    collection,
    /** From the result of `open`: other ingestions may have replaced the index since. */
    replaces: collection.optional(),
    book: book.optional(),
    /** Absent if only some pages of the book were ingested: then no page is removed. */
    kept_paths: z.array(z.string()).optional(),
  }),
]);
export type IngestTask = z.infer<typeof ingestTaskSchema>;

/** Why a page has no chunks in the index. */
export const pageSkipSchema = z.enum(['draft', 'stub', 'superseded']);
export type PageSkip = z.infer<typeof pageSkipSchema>;

export const pageIngestedSchema = z.object({
  task: z.literal('page'),
  path: z.string(),
  chunks: z.int(),
  /** Chunks that were embedded; the vectors of the others were in the index. */
  embedded: z.int(),
  skipped: pageSkipSchema.optional(),
});
export type PageIngested = z.infer<typeof pageIngestedSchema>;

export const ingestResultSchema = z.discriminatedUnion('task', [
  z.object({
    task: z.literal('open'),
    collection,
    embedder: z.string(),
    /** The collection that is current until `close`, if it is another one. */
    replaces: collection.optional(),
  }),
  pageIngestedSchema,
  z.object({ task: z.literal('carry'), carried: z.int(), cursor: z.string().optional() }),
  z.object({ task: z.literal('close'), removed_pages: z.int(), removed_chunks: z.int() }),
]);
export type IngestResult = z.infer<typeof ingestResultSchema>;
