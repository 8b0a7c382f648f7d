import { feedbackRequestSchema, type Feedback } from '@quire/shared/contracts';
import { giveFeedback, type Database } from '@quire/shared/database';
import { NotFound } from '@quire/shared/errors';
import { Router, type Request, type Response } from 'express';
import { allowOnly } from '../http/allow-only.js';
import { describeProblems } from '../http/describe-problems.js';
import { jsonBody } from '../http/json-body.js';
import { contextOf } from '../http/request-context.js';
import type { Limits } from '../limits/limits.js';
import { countRequest } from '../limits/request-permit.js';

export interface FeedbackDependencies {
  db: Database;
  limits: Pick<Limits, 'permitFor'>;
}

/** What callers think of the answers they got. */
export function feedbackRoutes({ db, limits }: FeedbackDependencies): Router {
  const router = Router();
  router
    .route('/feedback')
    .post(jsonBody, async (req: Request, res: Response) => {
      const parsed = feedbackRequestSchema.safeParse(req.body);
      if (!parsed.success) throw describeProblems(parsed.error.issues);
      const { request_id, rating, comment } = parsed.data;
      const { tenant, caller } = contextOf(res);
      const given = await countRequest(limits, res, async () => {
        const stored = await giveFeedback(db, { runId: request_id, tenant, caller, rating, comment });
        if (!stored) throw new NotFound('NOT_FOUND', 'There is no answer with this request_id');
        return stored;
      });
      const feedback: Feedback = {
        request_id,
        rating: given.rating,
        comment: given.comment,
        created_at: given.createdAt.toISOString(),
        updated_at: given.updatedAt.toISOString(),
      };
      res.json(feedback);
    })
    .all(allowOnly('POST'));
  return router;
}
