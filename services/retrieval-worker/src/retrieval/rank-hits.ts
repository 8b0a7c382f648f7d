import type { Candidates } from '../index/vector-index.js';
import { fuseCandidates, type Hit } from './fuse-candidates.js';

/**
 * Candidates as hits, best first, each text once. The threshold is applied before duplicates are removed: if the
 * best-scored copy of a text is below it, another copy may not be. Without a vector there is no threshold.
 */
export function rankHits(candidates: Candidates, fusionWeight: number, threshold?: number): Hit[] {
  const hits = fuseCandidates(candidates, fusionWeight);
  const near = threshold === undefined ? hits : hits.filter(({ similarity }) => similarity >= threshold);
  const seen = new Set<string>();
  return near.filter(({ contentHash }) => !seen.has(contentHash) && seen.add(contentHash));
}
