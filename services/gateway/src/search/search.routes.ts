import { DeadlineExceeded } from '@quire/shared/errors';
import { withLinkedSignal } from '@quire/shared/process';
import { retrievalOverdue, type RetrievalClient } from '@quire/shared/retrieval';
import { Router, type Request, type Response } from 'express';
import type { Draining } from '../draining.js';
import { allowOnly } from '../http/allow-only.js';
import { jsonBody } from '../http/json-body.js';
import { contextOf } from '../http/request-context.js';
import type { Limits } from '../limits/limits.js';
import { takePermit } from '../limits/request-permit.js';
import { parseSearchQuery } from './search-query.js';
import { searchResponse } from './search-response.js';

export interface SearchDependencies {
  retrieval: Pick<RetrievalClient, 'search'>;
  limits: Pick<Limits, 'permitFor'>;
  draining: Draining;
  timeoutMs: number;
}

/** Retrieval alone, by the call that agent workers use: no run, no thread, no model. */
export function searchRoutes({ retrieval, limits, draining, timeoutMs }: SearchDependencies): Router {
  const router = Router();

  const search = async (req: Request, res: Response) => {
    draining.refuseNewWork();
    const { requestId, log, clientGone } = contextOf(res);
    const query = parseSearchQuery(req.body);
    const permit = await takePermit(limits, res);
    const started = performance.now();
    const deadlineAt = Date.now() + timeoutMs;
    try {
      const found = await withLinkedSignal([clientGone, draining.overdue], (signal) =>
        retrieval.search(query, { requestId, deadlineAt, signal }),
      );
      const elapsedMs = performance.now() - started;
      const response = searchResponse({ requestId, query: query.query, found, elapsedMs, now: new Date() });
      const { confidence_level, metadata } = response;
      log.info(
        { stage: 'gateway', result_count: metadata.retrieval_count, confidence_level },
        'Search answered',
      );
      res.json(response);
    } catch (error) {
      if (clientGone.aborted && error === clientGone.reason) return;
      permit.refund();
      throw error instanceof DeadlineExceeded ? retrievalOverdue(error) : error;
    } finally {
      permit.slot?.release();
    }
  };

  router.route('/search').post(jsonBody, search).all(allowOnly('POST'));
  return router;
}
