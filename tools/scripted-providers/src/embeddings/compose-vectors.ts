import type { ResolvedVectorsAnswer } from './embeddings-behaviour.js';
import type { EmbeddingsRequest } from './embeddings-request.js';
import { hashedEmbedding } from './hashed-embedding.js';
import { scaledEmbedding } from './scaled-embedding.js';

const DIMENSIONS: ReadonlyArray<[RegExp, number]> = [
  [/^embed-(english|multilingual)-light-v3/, 384],
  [/^embed-(english|multilingual)-v3/, 1_024],
  [/^text-embedding-3-large/, 3_072],
  [/^gemini-embedding/, 3_072],
];

export function composeVectors(request: EmbeddingsRequest, answer: ResolvedVectorsAnswer): Float32Array[] {
  const embed = answer.scale === 'text-embedding-3' ? scaledEmbedding : hashedEmbedding;
  const dimension = answer.dimension ?? request.dimension ?? nativeDimension(request.model);
  const vectors = answer.vectors
    ? answer.vectors.map((vector) => Float32Array.from(vector))
    : request.texts.map((text) => embed(text, dimension));
  if (answer.count === undefined) return vectors;
  const surplus = Array.from({ length: answer.count }, (_, index) =>
    hashedEmbedding(`surplus ${index}`, dimension),
  );
  return [...vectors, ...surplus].slice(0, answer.count);
}

/** The length of a model's vectors unless the request sets another. */
function nativeDimension(model: string): number {
  return DIMENSIONS.find(([pattern]) => pattern.test(model))?.[1] ?? 1_536;
}
