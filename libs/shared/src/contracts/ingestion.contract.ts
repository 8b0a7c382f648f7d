import { z } from 'zod';

/** One page of a book on its way into the index. */
export const pageSchema = z.object({
  /** Path below the book's root, with forward slashes; names the page in reports. */
  path: z.string().min(1),
  base_url: z.url(),
  markdown: z.string(),
});
export type Page = z.infer<typeof pageSchema>;

export const pageIngestedSchema = z.object({ path: z.string(), chunks: z.int() });
export type PageIngested = z.infer<typeof pageIngestedSchema>;
