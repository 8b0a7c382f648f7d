import type { RetrievalDegradation, RetrievalQuery, RetrievalResult } from '@quire/shared/contracts';
import { DependencyUnavailable } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';
import { untilAborted } from '@quire/shared/process';
import { assessConfidence, assessWithoutVector } from '../confidence/assess-confidence.js';
import { wordCoverage } from '../confidence/word-coverage.js';
import { ProviderMisconfigured } from '../providers/provider-failure.js';
import { IndexGone } from '../index/qdrant-failure.js';
import type { RetrievalMetrics } from '../metrics.js';
import type { Reranker } from '../reranking/reranker.js';
import type { ActiveIndex, CurrentIndex } from './current-index.js';
import { findCandidates } from './find-candidates.js';
import type { Hit } from './fuse-candidates.js';
import { withNeighbours } from './neighbours.js';
import { rankHits } from './rank-hits.js';

/** Candidates of each kind per passage, since fusion reorders them and duplicates are removed. */
const CANDIDATES_PER_PASSAGE = 4;
const FEWEST_CANDIDATES = 20;
/** Independent of `top_k`, so that confidence does not grow with it. */
const PASSAGES_FOR_WORDS = 5;

export interface PassageSearch {
  index: CurrentIndex;
  reranker: Reranker | undefined;
  /** Whether passages come with the chunks before and after them. */
  neighbours: boolean;
  metrics: RetrievalMetrics;
  logger: Logger;
}

/** Finds the best passages for a question and assesses the confidence in them. */
export async function searchPassages(
  search: PassageSearch,
  query: RetrievalQuery,
  signal: AbortSignal,
): Promise<RetrievalResult> {
  try {
    return await searchIn(search.index.get(), search, query, signal);
  } catch (error) {
    if (!(error instanceof IndexGone)) throw error;
    await untilAborted(signal, search.index.refresh());
    return searchIn(search.index.get(), search, query, signal);
  }
}

async function searchIn(
  active: ActiveIndex,
  search: PassageSearch,
  query: RetrievalQuery,
  signal: AbortSignal,
): Promise<RetrievalResult> {
  const startedAt = performance.now();
  const wantsVector = query.mode !== 'sparse';
  const vector = wantsVector ? await vectorOf(active, query.query, search.logger, signal) : undefined;
  const embeddedAt = performance.now();
  const threshold = query.similarity_threshold ?? active.preset.similarityThreshold;
  const candidates = await findCandidates(
    (part) => active.search.add(part, signal),
    {
      text: query.query,
      vector,
      limit: Math.max(FEWEST_CANDIDATES, query.top_k * CANDIDATES_PER_PASSAGE),
      filters: query.filters,
    },
    { topK: query.top_k, threshold },
  );
  const searchedAt = performance.now();
  const used = query.mode === 'dense' ? { ...candidates, sparse: [] } : candidates;
  const ranked = rankHits(used, active.fusionWeight, vector ? threshold : undefined);
  const reranked = await rerank(ranked, query.query, search, signal);
  const ordered = reranked ?? ranked;
  const hits = ordered.slice(0, query.top_k);
  const words = wordCoverage(query.query, ordered.slice(0, PASSAGES_FOR_WORDS).map(fullText));
  const chunks = hits.map(({ chunk, similarity }) => ({ ...chunk(), similarity }));
  const degraded = degradation(
    wantsVector && !vector,
    reranked === undefined && search.reranker !== undefined,
  );
  if (degraded) search.metrics.retrievalDegraded.inc({ reason: degraded });
  return {
    chunks: search.neighbours ? await withNeighbours(chunks, active.index, signal) : chunks,
    confidence: vector ? assessConfidence(hits, words, active.preset) : assessWithoutVector(hits, words),
    ...(degraded && { degraded_reason: degraded }),
    timings_ms: {
      embedding: embeddedAt - startedAt,
      search: searchedAt - embeddedAt,
      total: performance.now() - startedAt,
    },
  };
}

/** Undefined if the question cannot be embedded now: then the search is by words only. */
async function vectorOf(
  { questions }: ActiveIndex,
  question: string,
  logger: Logger,
  signal: AbortSignal,
): Promise<number[] | undefined> {
  try {
    return await questions?.vectorOf(question, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DependencyUnavailable) && !(error instanceof ProviderMisconfigured)) throw error;
    logger.debug({ stage: 'retrieval', error }, 'Searching by words only');
    return undefined;
  }
}

/** Undefined without a reranker, or if it fails: then the fused order is kept. */
async function rerank(
  hits: readonly Hit[],
  question: string,
  { reranker, logger }: PassageSearch,
  signal: AbortSignal,
): Promise<Hit[] | undefined> {
  if (!reranker || hits.length === 0) return reranker && [];
  try {
    const order = await reranker.rank(
      question,
      hits.map(({ chunk }) => chunk().text),
      signal,
    );
    return order.flatMap((position) => hits[position] ?? []);
  } catch (error) {
    signal.throwIfAborted();
    logger.debug({ stage: 'retrieval', error }, 'Reranking failed: the fused order is kept');
    return undefined;
  }
}

function fullText({ chunk }: Hit): string {
  const { title, section, text } = chunk();
  return `${title} ${section} ${text}`;
}

function degradation(withoutVector: boolean, withoutReranker: boolean): RetrievalDegradation | undefined {
  if (withoutVector) return 'embedding_unavailable';
  return withoutReranker ? 'rerank_unavailable' : undefined;
}
