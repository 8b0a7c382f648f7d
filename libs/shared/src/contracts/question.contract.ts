import { z } from 'zod';
import { characterCount, storableString } from './storable-text.js';

export const QUESTION_MAX_CHARACTERS = 1000;
export const TOP_K_MAX = 10;
export const TOP_K_DEFAULT = 5;

/** Messages of zod issues that the gateway returns as error codes. */
export const questionProblem = { empty: 'EMPTY_QUERY', tooLong: 'QUERY_TOO_LONG' } as const;

const question = storableString()
  .transform((text) => text.trim())
  .refine((text) => text.length > 0, { error: questionProblem.empty })
  .refine((text) => characterCount(text) <= QUESTION_MAX_CHARACTERS, { error: questionProblem.tooLong })
  .meta({
    description: 'The question; surrounding whitespace is ignored',
    minLength: 1,
    maxLength: QUESTION_MAX_CHARACTERS,
  });

export const searchFiltersSchema = z.strictObject({
  module: storableString().min(1).max(200).optional().describe('Only passages of this part of the book'),
  url_prefix: storableString().min(1).max(2000).optional().describe('Only pages whose URL starts with this'),
});
export type SearchFilters = z.infer<typeof searchFiltersSchema>;

/** The fields that questions and searches share. */
export const questionFields = {
  message: question.optional(),
  query: question.optional(),
  top_k: z.int().min(1).max(TOP_K_MAX).default(TOP_K_DEFAULT).describe('How many passages to retrieve'),
  similarity_threshold: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Minimum similarity of a passage; by default that of the confidence preset'),
  filters: searchFiltersSchema.optional(),
};

/** For JSON Schema, into which zod cannot convert `requireOneQuestion`. */
export const eitherQuestion = { oneOf: [{ required: ['message'] }, { required: ['query'] }] };

type QuestionName = 'message' | 'query';
type Asking = { [Name in QuestionName]?: string | undefined };

/**
 * A body has its question under exactly one of the two names, preferably `name`. With `when`, zod checks this even if
 * other fields are invalid.
 */
export function requireOneQuestion(name: QuestionName) {
  const alias: QuestionName = name === 'message' ? 'query' : 'message';
  return z.superRefine<Asking>(
    (body, context) => {
      if (body.message === undefined && body.query === undefined) {
        context.addIssue({ code: 'custom', path: [name], message: questionProblem.empty });
      }
      if (body.message !== undefined && body.query !== undefined) {
        const message = `is an alias of ${name}: send only one`;
        context.addIssue({ code: 'custom', path: [alias], message });
      }
    },
    { when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value) },
  );
}
