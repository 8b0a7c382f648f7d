import type { QdrantClient } from '@qdrant/js-client-rest';
import { chunkSchema } from '@quire/shared/contracts';
import { z } from 'zod';
import { directionOf } from './direction.js';
import { qdrantFilter } from './qdrant-filter.js';
import { bm25, DENSE, SPARSE } from './qdrant-point.js';
import type { Candidate, Candidates, IndexQuery } from './vector-index.js';

type Search = NonNullable<Parameters<QdrantClient['queryBatch']>[1]>['searches'][number];

const foundPoint = z.object({
  score: z.number(),
  payload: z.looseObject({ chunk_id: z.string(), content_hash: z.string(), direction: z.string() }),
});
const scoredPoint = z.object({ id: z.string(), score: z.number() });
const payload = { include: [...Object.keys(chunkSchema.shape), 'direction'] };

/**
 * Three parts per question, all sent in one request: the nearest vectors, the best words, and the cosines of the
 * latter. The filter stands inside each part, so that it never empties a list of candidates afterwards.
 */
export function searchesFor({ text, vector, limit, filters, exceptTexts }: IndexQuery): Search[] {
  const filter = qdrantFilter(filters, exceptTexts);
  const byWords = { query: bm25(text), using: SPARSE, filter, limit };
  if (!vector) return [{ ...byWords, with_payload: payload }];
  const byVector = { query: vector, using: DENSE, limit };
  return [
    { ...byVector, filter, with_payload: payload },
    { ...byWords, with_payload: payload },
    { ...byVector, prefetch: [byWords], with_payload: false },
  ];
}

/** Reads the answers in the order of `searchesFor`. */
export function candidatesIn(query: IndexQuery, answers: { points: unknown }[]): Candidates {
  const [byVector, byWords, cosines] = query.vector ? answers : [undefined, ...answers];
  const cosineOf = new Map(found(scoredPoint, cosines).map(({ id, score }) => [id, score]));
  return {
    dense: found(foundPoint, byVector).map((point) => candidate(point, point.score)),
    sparse: found(foundPoint, byWords).map((point) =>
      Object.assign(candidate(point, cosineOf.get(point.payload.chunk_id) ?? 0), { bm25: point.score }),
    ),
  };
}

function found<Point extends z.ZodType>(
  schema: Point,
  answer: { points: unknown } | undefined,
): z.infer<Point>[] {
  return answer ? z.array(schema).parse(answer.points) : [];
}

function candidate({ payload: stored }: z.infer<typeof foundPoint>, cosine: number): Candidate {
  return {
    id: stored.chunk_id,
    contentHash: stored.content_hash,
    chunk: () => chunkSchema.parse(stored),
    direction: () => directionOf(stored.direction),
    // Rounding in Qdrant can leave a cosine a hair outside the range.
    similarity: Math.min(1, Math.max(0, cosine)),
  };
}
