import { contentWords } from '../text/content-words.js';
import type { ResolvedRankingAnswer } from './rerank-behaviour.js';
import type { RerankRequest } from './rerank-request.js';

export interface RankedDocument {
  index: number;
  relevance_score: number;
}

/** Best first; documents of equal score keep their order. */
export function rankDocuments(request: RerankRequest, { scores }: ResolvedRankingAnswer): RankedDocument[] {
  const words = new Set(contentWords(request.query));
  return request.documents
    .map((document, index) => ({ index, relevance_score: scores?.[index] ?? sharedWords(words, document) }))
    .sort((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, request.top_n);
}

/** The share of the query's words in the document. */
function sharedWords(queryWords: Set<string>, document: string): number {
  const documentWords = new Set(contentWords(document));
  const shared = [...queryWords].filter((word) => documentWords.has(word));
  return queryWords.size === 0 ? 0 : shared.length / queryWords.size;
}
