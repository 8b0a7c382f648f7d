import { z } from 'zod';

export const SNIPPET_MAX_CHARACTERS = 200;

/** A passage of the book in a response. */
const bookPassageSchema = z.object({
  source_url: z.string(),
  title: z.string(),
  chapter: z.string(),
  section: z.string(),
  module: z.string(),
  chunk_position: z.int(),
  similarity_score: z.number(),
  snippet: z.string(),
  chunk_id: z.string(),
  content_hash: z.string(),
});
export type BookPassage = z.infer<typeof bookPassageSchema>;

/** A cited passage; `marker` is the n of `[n]` in the answer. */
export const bookSourceSchema = z.object({ marker: z.int().min(1), ...bookPassageSchema.shape });
export type BookSource = z.infer<typeof bookSourceSchema>;

/** A retrieved passage before anything is cited; `rank` starts at 1. */
export const retrievedSourceSchema = z.object({ rank: z.int().min(1), ...bookPassageSchema.shape });
export type RetrievedSource = z.infer<typeof retrievedSourceSchema>;

/** A span of the text that the reader selected. */
export const selectedTextSourceSchema = z.object({
  source_type: z.literal('selected_text'),
  marker: z.int().min(1),
  selection_length: z.int(),
  snippet: z.string(),
  char_start: z.int(),
  char_end: z.int(),
});

export const sourceSchema = z.union([bookSourceSchema, selectedTextSourceSchema]);
export type Source = z.infer<typeof sourceSchema>;
