import type { ChatRequest, RetrievalResult } from '@quire/shared/contracts';
import type { RetrievalCallRecord, Run } from '@quire/shared/database';
import { DeadlineExceeded } from '@quire/shared/errors';
import { retrievalOverdue, roundScore, type RetrievalClient } from '@quire/shared/retrieval';
import { plainLine } from '../citations/plain-line.js';
import { SEARCH_TOOL } from './search-tool.js';

export interface BookSearchParts {
  run: Run;
  retrieval: Pick<RetrievalClient, 'search'>;
  /** After this time without a reply, retrieval counts as unavailable. */
  timeoutMs: number;
  signal: AbortSignal;
}

export interface SearchRequest {
  query: string;
  limit: number;
  threshold?: number | undefined;
}

/** The searches of one execution. All use the caller's filters, and an identical search is made once. */
export class BookSearch {
  readonly calls: RetrievalCallRecord[] = [];
  private readonly cache = new Map<string, Promise<RetrievalResult>>();

  constructor(private readonly parts: BookSearchParts) {}

  search({
    query,
    limit,
    threshold = this.request.similarity_threshold,
  }: SearchRequest): Promise<RetrievalResult> {
    const key = JSON.stringify([query.trim().toLowerCase().replaceAll(/\s+/g, ' '), limit, threshold]);
    const cached = this.cache.get(key);
    if (cached) return cached;
    const search = this.retrieve(query, limit, threshold);
    this.cache.set(key, search);
    // A failed search is not cached.
    search.catch(() => this.cache.delete(key));
    return search;
  }

  /** A model's query is shown to clients, so its markup is removed like that of the answer. */
  private asShown(query: string): string {
    const { message, markup } = this.request;
    return query === message || markup === 'raw' ? query : plainLine(query);
  }

  private get request(): ChatRequest {
    return this.parts.run.request;
  }

  private async retrieve(
    query: string,
    limit: number,
    threshold: number | undefined,
  ): Promise<RetrievalResult> {
    const { run, retrieval, timeoutMs, signal } = this.parts;
    const { filters } = this.request;
    const deadlineAt = Math.min(run.deadlineAt.getTime(), Date.now() + timeoutMs);
    const started = performance.now();
    try {
      const found = await retrieval.search(
        {
          query,
          top_k: limit,
          ...(threshold !== undefined && { similarity_threshold: threshold }),
          ...(filters && { filters }),
        },
        { requestId: run.id, deadlineAt, signal },
      );
      this.calls.push({
        tool: SEARCH_TOOL,
        query: this.asShown(query),
        results: found.chunks.length,
        mean_similarity: roundScore(found.confidence.average_similarity),
        took_ms: Math.round(performance.now() - started),
        at: new Date().toISOString(),
      });
      return found;
    } catch (error) {
      if (!(error instanceof DeadlineExceeded) || Date.now() >= run.deadlineAt.getTime()) throw error;
      throw retrievalOverdue(error);
    }
  }
}
