import type { QdrantClient } from '@qdrant/js-client-rest';
import { chunkSchema, type SearchFilters } from '@quire/shared/contracts';
import { z } from 'zod';
import { directionOf } from './direction.js';
import { bm25, DENSE, SPARSE } from './qdrant-point.js';
import { normalisedPrefix } from './url-prefixes.js';
import type { Candidate, Candidates, IndexQuery } from './vector-index.js';

type Search = NonNullable<Parameters<QdrantClient['queryBatch']>[1]>['searches'][number];

const foundPoint = z.object({
  score: z.number(),
  payload: z.looseObject({ chunk_id: z.string(), content_hash: z.string(), direction: z.string() }),
});
const scoredPoint = z.object({ id: z.string(), score: z.number() });
const payload = { include: [...Object.keys(chunkSchema.shape), 'direction'] };

/**
 * Three searches per question in one request: the nearest vectors, the best BM25 scores, and the cosines of the latter.
 * Each search filters by itself, so that filtering never shortens a list of candidates afterwards.
 */
export function searchesFor({ text, vector, limit, filters, exceptTexts }: IndexQuery): Search[] {
  const filter = filterOf(filters, exceptTexts);
  const byWords = { query: bm25(text), using: SPARSE, filter, limit };
  if (!vector) return [{ ...byWords, with_payload: payload }];
  const byVector = { query: vector, using: DENSE, limit };
  return [
    { ...byVector, filter, with_payload: payload },
    { ...byWords, with_payload: payload },
    { ...byVector, prefetch: [byWords], with_payload: false },
  ];
}

function filterOf({ module, url_prefix: prefix }: SearchFilters = {}, exceptTexts: readonly string[] = []) {
  const must = [
    ...(module === undefined ? [] : [{ key: 'module', match: { value: module } }]),
    ...(prefix === undefined ? [] : [{ key: 'url_prefixes', match: { value: normalisedPrefix(prefix) } }]),
  ];
  const excluded = { key: 'content_hash', match: { any: [...exceptTexts] } };
  return { must, must_not: exceptTexts.length === 0 ? [] : [excluded] };
}

/** Reads the results in the order of `searchesFor`. */
export function candidatesIn(query: IndexQuery, results: { points: unknown }[]): Candidates {
  const [byVector, byWords, cosines] = query.vector ? results : [undefined, ...results];
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
  result: { points: unknown } | undefined,
): z.infer<Point>[] {
  return result ? z.array(schema).parse(result.points) : [];
}

function candidate({ payload: stored }: z.infer<typeof foundPoint>, cosine: number): Candidate {
  return {
    id: stored.chunk_id,
    contentHash: stored.content_hash,
    chunk: () => chunkSchema.parse(stored),
    direction: () => directionOf(stored.direction),
    // Rounding in Qdrant can put a cosine slightly outside the range.
    similarity: Math.min(1, Math.max(0, cosine)),
  };
}
