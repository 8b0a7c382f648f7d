import { z } from 'zod';
import { deliveryFields } from '../behaviours/delivery.js';
import { errorSchema, refuseSchema } from '../behaviours/fault.js';

const vectorsSchema = z.strictObject({
  kind: z.literal('vectors'),
  /** Sent instead of vectors that are computed from the texts. */
  vectors: z.array(z.array(z.number())).optional(),
  /** The scale of the cosines, for tests of thresholds; see `scaled-embedding.ts`. */
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

/** Vectors computed from the words of the texts, unless the options set others. */
export function vectors(options: Omit<VectorsAnswer, 'kind'> = {}): VectorsAnswer {
  return { kind: 'vectors', ...options };
}
