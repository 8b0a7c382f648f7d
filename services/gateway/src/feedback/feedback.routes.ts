import { feedbackRequestSchema, feedbackSchema, type Feedback } from '@quire/shared/contracts';
import { giveFeedback, type Database } from '@quire/shared/database';
import { NotFound } from '@quire/shared/errors';
import { contextOf } from '../http/request-context.js';
import { jsonResponse, route, type RouteGroup } from '../http/route.js';
import { EXAMPLE_REQUEST_ID, EXAMPLE_TIME } from '../openapi/example-values.js';

export interface FeedbackDependencies {
  db: Database;
}

const said = { request_id: EXAMPLE_REQUEST_ID, rating: 'down', comment: 'It leaves out services.' } as const;
const kept: Feedback = { ...said, created_at: EXAMPLE_TIME, updated_at: EXAMPLE_TIME };

const rate = route({
  method: 'post',
  path: '/feedback',
  operationId: 'giveFeedback',
  summary: 'Rate an answer',
  description:
    'Each key, with the keys it is rotated into, rates an answer once: a second rating replaces the first.',
  scope: 'chat',
  limits: 'rate',
  body: { schema: feedbackRequestSchema, examples: { down: { summary: 'Not good', value: said } } },
  responses: {
    200: jsonResponse('The stored rating.', feedbackSchema, { kept: { summary: 'Stored', value: kept } }),
  },
  errors: ['NOT_FOUND', 'STORAGE_UNAVAILABLE'],
  async handle({ db }: FeedbackDependencies, { res, body: { request_id, rating, comment } }) {
    const { tenant, caller } = contextOf(res);
    const given = await giveFeedback(db, { runId: request_id, tenant, caller, rating, comment });
    if (!given) throw new NotFound('NOT_FOUND', 'There is no answer with this request_id');
    const feedback: Feedback = {
      request_id,
      rating: given.rating,
      comment: given.comment,
      created_at: given.createdAt.toISOString(),
      updated_at: given.updatedAt.toISOString(),
    };
    res.json(feedback);
  },
});

export const feedbackGroup: RouteGroup<FeedbackDependencies> = {
  name: 'Feedback',
  description: 'Ratings of answers.',
  requests: { FeedbackRequest: feedbackRequestSchema },
  responses: { Feedback: feedbackSchema },
  routes: [rate],
};
