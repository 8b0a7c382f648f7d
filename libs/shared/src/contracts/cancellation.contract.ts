import { z } from 'zod';
import { tokensUsedSchema } from './chat-response.contract.js';

const request_id = z.uuid();

/**
 * The response of `DELETE /chat/{request_id}`: how the run ended, or `cancelling` if it has not ended yet. A run that
 * ended before the request keeps its state. A failed run reports no tokens.
 */
export const cancellationSchema = z.discriminatedUnion('state', [
  z.object({ request_id, state: z.literal('completed'), tokens_used: tokensUsedSchema }),
  z.object({ request_id, state: z.literal('cancelled'), tokens_used: tokensUsedSchema }),
  z.object({ request_id, state: z.literal('failed'), tokens_used: z.null() }),
  z.object({ request_id, state: z.literal('cancelling') }),
]);
export type Cancellation = z.infer<typeof cancellationSchema>;
