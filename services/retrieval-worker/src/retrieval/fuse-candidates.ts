import type { Candidate, Candidates } from '../index/vector-index.js';

export interface Hit extends Candidate {
  /** The sort key; comparable within one question only. */
  score: number;
}

/**
 * Ranks both lists together: the BM25 score divided by the best one, plus the cosine scaled to its range among the
 * candidates times the embedder's weight. Fusing ranks (RRF) with a weak embedder is worse than BM25 alone.
 */
export function fuseCandidates({ dense, sparse }: Candidates, weight: number): Hit[] {
  const bestBm25 = Math.max(0, ...sparse.map(({ bm25 }) => bm25));
  const words = new Map(sparse.map(({ id, bm25 }) => [id, bestBm25 === 0 ? 0 : bm25 / bestBm25]));
  const candidates = [
    ...new Map([...dense, ...sparse].map((candidate) => [candidate.id, candidate])).values(),
  ];
  const similarities = candidates.map(({ similarity }) => similarity);
  const lowest = Math.min(...similarities);
  const range = Math.max(...similarities) - lowest;
  return candidates
    .map((candidate) => {
      const meaning = range === 0 ? 0 : (candidate.similarity - lowest) / range;
      const score = (words.get(candidate.id) ?? 0) + weight * meaning;
      return Object.assign({}, candidate, { score });
    })
    .sort((a, b) => b.score - a.score || b.similarity - a.similarity || order(a, b));
}

/** Makes the order of equal hits stable. */
const order = (a: Hit, b: Hit): number => (a.id < b.id ? -1 : 1);
