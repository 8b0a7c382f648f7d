import type { Candidate, Candidates, IndexQuery } from '../index/vector-index.js';

/** Repeated searches per question; most questions need none. */
const MOST_FURTHER_SEARCHES = 2;

export interface Wanted {
  topK: number;
  /** The lowest cosine of a usable candidate. */
  threshold: number;
}

/**
 * Searches, and searches again without the texts found so far while copies of a few texts fill a list: a section that is
 * repeated on forty pages must not be the only result.
 */
export async function findCandidates(
  search: (query: IndexQuery) => Promise<Candidates>,
  query: IndexQuery,
  wanted: Wanted,
): Promise<Candidates> {
  let latest = await search(query);
  let found = latest;
  for (let more = 0; more < MOST_FURTHER_SEARCHES; more += 1) {
    if (isComplete(latest, query, wanted) || !isCrowded(latest, found, query.limit, wanted.topK)) break;
    latest = await search({ ...query, exceptTexts: [...textsIn([...found.dense, ...found.sparse])] });
    found = { dense: [...found.dense, ...latest.dense], sparse: [...found.sparse, ...latest.sparse] };
  }
  return found;
}

/** A list by cosine that is not full, or ends below the threshold, contains every usable chunk. */
function isComplete({ dense }: Candidates, { vector, limit }: IndexQuery, { threshold }: Wanted): boolean {
  return vector !== undefined && (dense.length < limit || (dense.at(-1)?.similarity ?? 0) < threshold);
}

function isCrowded(latest: Candidates, found: Candidates, limit: number, topK: number): boolean {
  return (['dense', 'sparse'] as const).some(
    (list) => latest[list].length >= limit && textsIn(found[list]).size < topK,
  );
}

const textsIn = (candidates: readonly Candidate[]): Set<string> =>
  new Set(candidates.map(({ contentHash }) => contentHash));
