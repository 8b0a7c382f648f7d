import { z } from 'zod';
import { chatResponseSchema, tokensUsedSchema } from './chat-response.contract.js';
import { liveRunStateSchema, runFailureSchema } from './run-event.contract.js';

/** The response to a question with `respond-async`. */
export const acceptedRunSchema = z.object({ request_id: z.uuid(), session_id: z.uuid() });
export type AcceptedRun = z.infer<typeof acceptedRunSchema>;

const about = {
  ...acceptedRunSchema.shape,
  accepted_at: z.iso.datetime(),
  deadline_at: z.iso.datetime(),
  attempts: z.int().min(0),
};

/** The response of `GET /chat/{request_id}`: the run's state and, once it has ended, its outcome. */
export const runDescriptionSchema = z.discriminatedUnion('state', [
  z.object({ ...about, state: liveRunStateSchema }),
  z.object({ ...about, state: z.literal('completed'), response: chatResponseSchema }),
  z.object({ ...about, state: z.literal('failed'), error: runFailureSchema }),
  z.object({ ...about, state: z.literal('cancelled'), tokens_used: tokensUsedSchema }),
]);
export type RunDescription = z.infer<typeof runDescriptionSchema>;
