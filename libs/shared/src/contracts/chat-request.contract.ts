import { z } from 'zod';
import { metadataSchema } from './metadata.contract.js';
import {
  eitherQuestion,
  questionFields,
  requireOneQuestion,
  searchFiltersSchema,
} from './question.contract.js';
import { sessionIdSchema } from './session-id.contract.js';
import { characterCount, storableString } from './storable-text.js';

export const SELECTED_TEXT_MAX_CHARACTERS = 20_000;

const onDisconnectSchema = z.enum(['continue', 'cancel']);
const markupSchema = z.enum(['safe', 'raw']);

/** The body of `POST /chat`; `query` is an alias of `message`. */
export const chatRequestBodySchema = z
  .strictObject({
    ...questionFields,
    session_id: sessionIdSchema
      .optional()
      .describe(
        'Names the thread to go on with: a UUID of any version, in lower case from then on; made when absent',
      ),
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
    metadata: metadataSchema.optional(),
    on_disconnect: onDisconnectSchema
      .optional()
      .describe(
        'What becomes of the run when its client goes: streams and async runs go on by default; a `cancel` that is sent with `respond-async` is for the clients that follow the run',
      ),
    markup: markupSchema
      .optional()
      .describe(
        'What the answer may hold: by default (`safe`) no link or image but to its sources, and no HTML; `raw` passes what the model wrote, for clients that render none of it or clean it themselves',
      ),
  })
  .check(requireOneQuestion('message'))
  .meta(eitherQuestion);
export type ChatRequestBody = z.infer<typeof chatRequestBodySchema>;

/** The request as it is stored with a run: validated, aliases resolved. */
export const chatRequestSchema = z.object({
  message: z.string(),
  session_id: z.uuid(),
  top_k: z.int(),
  similarity_threshold: z.number().optional(),
  selected_text: z.string().optional(),
  filters: searchFiltersSchema.optional(),
  metadata: z.record(z.string(), z.json()).optional(),
  on_disconnect: onDisconnectSchema.optional(),
  /** Absent means safe. */
  markup: markupSchema.optional(),
});
export type ChatRequest = z.infer<typeof chatRequestSchema>;
