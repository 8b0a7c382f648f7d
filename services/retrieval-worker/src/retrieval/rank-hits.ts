import type { Candidates } from '../index/vector-index.js';
import { collapseDuplicates } from './collapse-duplicates.js';
import { fuseCandidates, type Hit } from './fuse-candidates.js';

/**
 * Candidates as hits, best first, each text once. The threshold comes before that: where the best-scored copy of a
 * text lies below it, another may not. Without a vector there is none.
 */
export function rankHits(candidates: Candidates, fusionWeight: number, threshold?: number): Hit[] {
  const hits = fuseCandidates(candidates, fusionWeight);
  return collapseDuplicates(
    threshold === undefined ? hits : hits.filter(({ similarity }) => similarity >= threshold),
  );
}
