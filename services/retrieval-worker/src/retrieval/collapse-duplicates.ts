import type { IndexHit } from '../index/vector-index.js';

/** Of hits with the same text only the best stays; `hits` come best first. */
export function collapseDuplicates(hits: readonly IndexHit[]): IndexHit[] {
  const seen = new Set<string>();
  return hits.filter(({ chunk }) => {
    const isNew = !seen.has(chunk.content_hash);
    seen.add(chunk.content_hash);
    return isNew;
  });
}
