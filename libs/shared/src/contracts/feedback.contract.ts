import { z } from 'zod';
import { characterCount, storableString } from './storable-text.js';

export const COMMENT_MAX_CHARACTERS = 2000;

export const ratingSchema = z.enum(['up', 'down']);
export type Rating = z.infer<typeof ratingSchema>;

/** The body of `POST /feedback`. Later feedback of the same caller replaces earlier feedback. */
export const feedbackRequestSchema = z.strictObject({
  request_id: z.uuid().toLowerCase(),
  rating: ratingSchema,
  comment: storableString()
    .transform((text) => text.trim())
    .refine((text) => text.length > 0, { error: 'must not be empty' })
    .refine((text) => characterCount(text) <= COMMENT_MAX_CHARACTERS, {
      error: `must not exceed ${COMMENT_MAX_CHARACTERS} characters`,
    })
    .optional(),
});
export type FeedbackRequest = z.infer<typeof feedbackRequestSchema>;

/** The response of `POST /feedback`. */
export const feedbackSchema = z.object({
  request_id: z.uuid(),
  rating: ratingSchema,
  comment: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Feedback = z.infer<typeof feedbackSchema>;
