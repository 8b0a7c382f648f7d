import type { Hit } from './fuse-candidates.js';

/** Of hits with the same text only the best stays; `hits` come best first. */
export function collapseDuplicates(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ contentHash }) => {
    const isNew = !seen.has(contentHash);
    seen.add(contentHash);
    return isNew;
  });
}
