import { z } from 'zod';
import { tokensUsedSchema } from './chat-response.contract.js';

const request_id = z.uuid();

/**
 * What `DELETE /chat/{request_id}` answers: how the run ended, which may be another end than the one asked for, or
 * that it has not ended yet. A failed run does not tell what it has spent.
 */
export const cancellationSchema = z.discriminatedUnion('state', [
  z.object({ request_id, state: z.literal('completed'), tokens_used: tokensUsedSchema }),
  z.object({ request_id, state: z.literal('cancelled'), tokens_used: tokensUsedSchema }),
  z.object({ request_id, state: z.literal('failed'), tokens_used: z.null() }),
  z.object({ request_id, state: z.literal('cancelling') }),
]);
export type Cancellation = z.infer<typeof cancellationSchema>;
