import { z } from 'zod';
import { errorCodeSchema } from '../errors/error-codes.js';

/** The body of every error response. */
export const errorEnvelopeSchema = z.object({
  error_code: errorCodeSchema,
  message: z.string(),
  request_id: z.string(),
  details: z.array(z.object({ path: z.string(), problem: z.string() })).optional(),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;
