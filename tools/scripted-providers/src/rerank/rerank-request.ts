import { z } from 'zod';

export const rerankRequestSchema = z.looseObject({
  model: z.string(),
  query: z.string(),
  documents: z.array(z.string()),
  top_n: z.int().min(1).optional(),
});

export type RerankRequest = z.infer<typeof rerankRequestSchema>;
