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
        'The thread to continue: a UUID of any version, converted to lower case; generated if absent',
      ),
    stream: z.boolean().optional().describe('Answer as server-sent events'),
    selected_text: storableString()
      .refine((text) => text.trim().length > 0, { error: 'must not be empty' })
      .refine((text) => characterCount(text) <= SELECTED_TEXT_MAX_CHARACTERS, {
        error: `must not exceed ${SELECTED_TEXT_MAX_CHARACTERS} characters`,
      })
      .meta({
        description: 'The text that the reader selected: the answer is based on it alone, without a search',
        minLength: 1,
        maxLength: SELECTED_TEXT_MAX_CHARACTERS,
      })
      .optional(),
    metadata: metadataSchema.optional(),
    on_disconnect: onDisconnectSchema
      .optional()
      .describe(
        'What happens to the run when its client disconnects: by default streams and async runs continue; a `cancel` sent with `respond-async` applies to clients that follow the run',
      ),
    markup: markupSchema
      .optional()
      .describe(
        'Markup in the answer: `safe` (the default) allows no HTML, and links and images only to the sources; `raw` keeps the markup of the model, for clients that do not render it or sanitize it themselves',
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
