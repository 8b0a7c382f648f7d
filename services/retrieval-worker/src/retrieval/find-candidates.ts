import type { Candidate, Candidates, IndexQuery } from '../index/vector-index.js';

/** Of one question: the usual one needs none. */
const MOST_FURTHER_SEARCHES = 2;

export interface Wanted {
  topK: number;
  /** Of the cosine; what lies below is of no use. */
  threshold: number;
}

/**
 * One search, and another without the texts found so far while copies of a few texts fill a list: a section that
 * stands on forty pages must not be all that a question finds.
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

/** Every chunk has a cosine: a list of them that is not full, or ends below the threshold, leaves nothing out. */
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
