import { z } from 'zod';

export const pageFormatSchema = z.enum(['markdown', 'mdx', 'html']);
export type PageFormat = z.infer<typeof pageFormatSchema>;

/** Which site generator publishes the pages: it decides their addresses and heading anchors. */
export const siteLayoutSchema = z.enum(['docusaurus', 'mdbook', 'plain']);
export type SiteLayout = z.infer<typeof siteLayoutSchema>;

/** One page of a book on its way into the index. */
export const pageSchema = z.object({
  /** Path below the book's root, with forward slashes; names the page in reports and from run to run. */
  path: z.string().min(1),
  format: pageFormatSchema,
  layout: siteLayoutSchema,
  base_url: z.url(),
  /** Where the page was found, for pages of a site; others get theirs from base URL, path and front matter. */
  url: z.url().optional(),
  /** The book's part as its table of contents names it; otherwise the first folder. */
  module: z.string().optional(),
  text: z.string(),
});
export type Page = z.infer<typeof pageSchema>;

/** A book is known by its base URL; an index may hold several. */
const book = z.url();
/** Ties the tasks of one ingestion together; a task of an ingestion that another has replaced does nothing. */
const ingestion_id = z.uuid();
const collection = z.string().min(1);

/**
 * The steps of an ingestion. `open` says where the pages go: into the index that answers questions now or, when the
 * configured embedder did not make that one, into a new one. `carry` moves what other books have there, a
 * batch at a time. `close` removes pages that are gone and lets the new index answer.
 */
export const ingestTaskSchema = z.discriminatedUnion('task', [
  z.object({ task: z.literal('open'), ingestion_id }),
  z.object({ task: z.literal('page'), ingestion_id, book, collection, page: pageSchema }),
  z.object({
    task: z.literal('carry'),
    ingestion_id,
    from: collection,
    collection,
    /** Whose chunks are left behind: this book's pages were ingested afresh. */
    except_book: book.optional(),
    cursor: z.string().optional(),
  }),
  z.object({
    task: z.literal('close'),
    ingestion_id,
    collection,
    /** As `open` has said: the index may have been replaced by others since. */
    replaces: collection.optional(),
    book: book.optional(),
    /** Absent when only some pages of the book were ingested: nothing is removed then. */
    kept_paths: z.array(z.string()).optional(),
  }),
]);
export type IngestTask = z.infer<typeof ingestTaskSchema>;

/** Why a page has nothing in the index. */
export const pageSkipSchema = z.enum(['draft', 'stub', 'superseded']);
export type PageSkip = z.infer<typeof pageSkipSchema>;

export const pageIngestedSchema = z.object({
  task: z.literal('page'),
  path: z.string(),
  chunks: z.int(),
  /** How many of the chunks needed the embedder; the others were known. */
  embedded: z.int(),
  skipped: pageSkipSchema.optional(),
});
export type PageIngested = z.infer<typeof pageIngestedSchema>;

export const ingestResultSchema = z.discriminatedUnion('task', [
  z.object({
    task: z.literal('open'),
    collection,
    embedder: z.string(),
    /** The index that answers until `close`, when it is another one. */
    replaces: collection.optional(),
  }),
  pageIngestedSchema,
  z.object({ task: z.literal('carry'), carried: z.int(), cursor: z.string().optional() }),
  z.object({ task: z.literal('close'), removed_pages: z.int(), removed_chunks: z.int() }),
]);
export type IngestResult = z.infer<typeof ingestResultSchema>;
