import { feedbackRequestSchema, feedbackSchema, type Feedback } from '@quire/shared/contracts';
import { json, schemaOf, type ApiGroup } from '../openapi/api-description.js';
import { EXAMPLE_REQUEST_ID, EXAMPLE_TIME } from '../openapi/shared-parts.js';

const said = { request_id: EXAMPLE_REQUEST_ID, rating: 'down', comment: 'It leaves out services.' } as const;
const kept: Feedback = { ...said, created_at: EXAMPLE_TIME, updated_at: EXAMPLE_TIME };

export const feedbackApi: ApiGroup = {
  name: 'Feedback',
  description: 'What callers think of the answers they got.',
  requests: { FeedbackRequest: feedbackRequestSchema },
  answers: { Feedback: feedbackSchema },
  paths: {
    '/feedback': {
      post: {
        operationId: 'giveFeedback',
        summary: 'Rate an answer',
        description:
          'Each key rates an answer once, however often it is rotated: sent again, it takes the place of what was said before.',
        body: {
          schema: schemaOf('FeedbackRequest'),
          examples: { down: { summary: 'Not good', value: said } },
        },
        answers: {
          200: {
            description: 'What is kept.',
            content: json('Feedback', { kept: { summary: 'Kept', value: kept } }),
          },
        },
        errors: [
          'INVALID_REQUEST',
          'NOT_FOUND',
          'PAYLOAD_TOO_LARGE',
          'UNSUPPORTED_MEDIA_TYPE',
          'STORAGE_UNAVAILABLE',
          'QUEUE_UNAVAILABLE',
          'RATE_LIMITED',
        ],
      },
    },
  },
};
