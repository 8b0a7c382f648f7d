import { z } from 'zod';
import { deliveryFields } from '../behaviours/delivery.js';
import { errorSchema, refuseSchema } from '../behaviours/fault.js';

const rankingSchema = z.strictObject({
  kind: z.literal('ranking'),
  /** One score per document, in their order, instead of its share of the query's words. */
  scores: z.array(z.number().min(0).max(1)).optional(),
  ...deliveryFields,
});

export const rerankBehaviourSchema = z.discriminatedUnion('kind', [rankingSchema, errorSchema, refuseSchema]);

export type RerankBehaviour = z.input<typeof rerankBehaviourSchema>;
export type RankingAnswer = z.input<typeof rankingSchema>;
export type ResolvedRankingAnswer = z.output<typeof rankingSchema>;

/** Documents ranked by the words they share with the query, unless the options set scores. */
export function ranking(options: Omit<RankingAnswer, 'kind'> = {}): RankingAnswer {
  return { kind: 'ranking', ...options };
}
