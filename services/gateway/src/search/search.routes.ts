import { searchRequestBodySchema, searchResponseSchema } from '@quire/shared/contracts';
import { DeadlineExceeded } from '@quire/shared/errors';
import { withLinkedSignal } from '@quire/shared/process';
import { retrievalOverdue, type RetrievalClient } from '@quire/shared/retrieval';
import type { Draining } from '../draining.js';
import { contextOf } from '../http/request-context.js';
import { jsonResponse, route, type RouteGroup } from '../http/route.js';
import { searchResponse } from './search-response.js';
import { searchExample } from './search.examples.js';

export interface SearchDependencies {
  retrieval: Pick<RetrievalClient, 'search'>;
  draining: Draining;
  searchTimeoutMs: number;
}

/** Retrieval alone, by the same call as the agent workers': no run, no thread, no model. */
const search = route({
  method: 'post',
  path: '/search',
  operationId: 'search',
  summary: 'Find passages, without an answer',
  scope: 'chat',
  limits: 'slot',
  body: {
    schema: searchRequestBodySchema,
    examples: {
      search: { summary: 'A search', value: { query: searchExample.query, top_k: 3 } },
      filtered: {
        summary: 'In one part of the book',
        value: { query: searchExample.query, filters: { module: 'ros2' }, similarity_threshold: 0.4 },
      },
    },
  },
  responses: {
    200: jsonResponse('The passages, best first.', searchResponseSchema, {
      found: { summary: 'One passage', value: searchExample },
    }),
  },
  errors: ['EMPTY_QUERY', 'QUERY_TOO_LONG', 'RETRIEVAL_UNAVAILABLE'],
  async handle({ retrieval, draining, searchTimeoutMs }: SearchDependencies, { res, body }) {
    const { requestId, log, clientGone } = contextOf(res);
    const { message, query = message ?? '', ...options } = body;
    const started = performance.now();
    const deadlineAt = Date.now() + searchTimeoutMs;
    try {
      const found = await withLinkedSignal([clientGone, draining.overdue], (signal) =>
        retrieval.search({ ...options, query }, { requestId, deadlineAt, signal }),
      );
      const elapsedMs = performance.now() - started;
      const response = searchResponse({ requestId, query, found, elapsedMs, now: new Date() });
      const { confidence_level, metadata } = response;
      log.info(
        { stage: 'gateway', result_count: metadata.retrieval_count, confidence_level },
        'Search answered',
      );
      res.json(response);
    } catch (error) {
      if (clientGone.aborted && error === clientGone.reason) return;
      throw error instanceof DeadlineExceeded ? retrievalOverdue(error) : error;
    }
  },
});

export const searchGroup: RouteGroup<SearchDependencies> = {
  name: 'Search',
  description: 'Passages without an answer.',
  requests: { SearchRequest: searchRequestBodySchema },
  responses: { SearchResponse: searchResponseSchema },
  routes: [search],
};
