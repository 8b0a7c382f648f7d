import { z } from 'zod';
import { retrievalResultSchema } from '../contracts/retrieval.contract.js';

/** What a retrieval worker publishes on the asking process' reply channel. */
export const retrievalReplySchema = z.discriminatedUnion('ok', [
  z.object({ job_id: z.string(), ok: z.literal(true), result: retrievalResultSchema }),
  z.object({ job_id: z.string(), ok: z.literal(false), reason: z.string() }),
]);
export type RetrievalReply = z.infer<typeof retrievalReplySchema>;
