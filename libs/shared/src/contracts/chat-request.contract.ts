import { z } from 'zod';
import {
  eitherQuestion,
  questionFields,
  requireOneQuestion,
  searchFiltersSchema,
} from './question.contract.js';
import { characterCount, isNestedWithin, isStorableJson, storableString } from './storable-text.js';

export const SELECTED_TEXT_MAX_CHARACTERS = 20_000;
export const METADATA_MAX_BYTES = 4096;
export const METADATA_MAX_DEPTH = 10;

/** The depth comes first: a body of 256 KB can nest so deep that parsing it recursively overflows the stack. */
const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => isNestedWithin(METADATA_MAX_DEPTH, value), {
    error: `must not be nested deeper than ${METADATA_MAX_DEPTH} levels`,
  })
  .pipe(z.record(z.string(), z.json()))
  .refine(isStorableJson, { error: 'must not contain NUL characters or lone surrogates' })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= METADATA_MAX_BYTES, {
    error: `must not exceed ${METADATA_MAX_BYTES} bytes of JSON`,
  })
  .describe(
    `Kept with the run; at most ${METADATA_MAX_BYTES} bytes of JSON, nested ${METADATA_MAX_DEPTH} deep`,
  );

const onDisconnectSchema = z.enum(['continue', 'cancel']);

/** The body of `POST /chat`; `query` is an alias of `message`. */
export const chatRequestBodySchema = z
  .strictObject({
    ...questionFields,
    session_id: z.uuidv4().optional().describe('Names the thread to go on with; made when absent'),
    stream: z.boolean().optional().describe('Answer as server-sent events'),
    selected_text: storableString()
      .refine((text) => text.trim().length > 0, { error: 'must not be empty' })
      .refine((text) => characterCount(text) <= SELECTED_TEXT_MAX_CHARACTERS, {
        error: `must not exceed ${SELECTED_TEXT_MAX_CHARACTERS} characters`,
      })
      .meta({
        description: 'What the reader has selected: the answer comes from it alone, without any search',
        minLength: 1,
        maxLength: SELECTED_TEXT_MAX_CHARACTERS,
      })
      .optional(),
    metadata: metadata.optional(),
    on_disconnect: onDisconnectSchema
      .optional()
      .describe('What becomes of the run when its client goes: streams and async runs go on by default'),
  })
  .check(requireOneQuestion('message'))
  .meta(eitherQuestion);
export type ChatRequestBody = z.infer<typeof chatRequestBodySchema>;

/** What is stored with a run and answered by the agent worker: validated, aliases resolved. */
export const chatRequestSchema = z.object({
  message: z.string(),
  session_id: z.uuid(),
  top_k: z.int(),
  similarity_threshold: z.number().optional(),
  selected_text: z.string().optional(),
  filters: searchFiltersSchema.optional(),
  metadata: z.record(z.string(), z.json()).optional(),
  on_disconnect: onDisconnectSchema.optional(),
});
export type ChatRequest = z.infer<typeof chatRequestSchema>;
