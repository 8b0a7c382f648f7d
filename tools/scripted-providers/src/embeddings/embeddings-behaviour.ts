import { z } from 'zod';
import { deliveryFields } from '../behaviours/delivery.js';
import { errorSchema, refuseSchema } from '../behaviours/fault.js';

const vectorsSchema = z.strictObject({
  kind: z.literal('vectors'),
  /** Sent instead of vectors made from the texts. */
  vectors: z.array(z.array(z.number())).optional(),
  /** Whose cosines the made vectors have, where thresholds are under test; `scaled-embedding.ts` tells the figures. */
  scale: z.enum(['text-embedding-3']).optional(),
  /** How many vectors to send, whatever the number of texts. */
  count: z.int().min(0).optional(),
  /** The vectors' length, whatever the request asked for. */
  dimension: z.int().min(1).optional(),
  ...deliveryFields,
});

export const embeddingsBehaviourSchema = z.discriminatedUnion('kind', [
  vectorsSchema,
  errorSchema,
  refuseSchema,
]);

export type EmbeddingsBehaviour = z.input<typeof embeddingsBehaviourSchema>;
export type VectorsAnswer = z.input<typeof vectorsSchema>;
export type ResolvedVectorsAnswer = z.output<typeof vectorsSchema>;

/** Vectors made from the words of the texts, unless the options say otherwise. */
export function vectors(options: Omit<VectorsAnswer, 'kind'> = {}): VectorsAnswer {
  return { kind: 'vectors', ...options };
}
