import {
  ACTIVE_MESSAGES,
  sessionIdSchema,
  THREADS_PER_PAGE_DEFAULT,
  THREADS_PER_PAGE_MAX,
} from '@quire/shared/contracts';
import type { ThreadPosition } from '@quire/shared/database';
import { z } from 'zod';
import { EXAMPLE_SESSION_ID } from '../openapi/example-values.js';
import { decodeCursor } from './thread-cursor.js';

export const NO_THREAD = 'There is no thread with this session_id';

export const threadPath = {
  session_id: {
    description: 'The thread: the `session_id` of its questions.',
    schema: sessionIdSchema,
    example: EXAMPLE_SESSION_ID,
    notFound: NO_THREAD,
  },
};

const limitProblem = { error: `must be a whole number from 1 to ${THREADS_PER_PAGE_MAX}` };

export const pageQuery = {
  limit: {
    description: 'The largest number of threads in the page.',
    schema: z
      .string(limitProblem)
      .regex(/^\d{1,3}$/, limitProblem)
      .transform(Number)
      .pipe(z.int().min(1, limitProblem).max(THREADS_PER_PAGE_MAX, limitProblem))
      .default(THREADS_PER_PAGE_DEFAULT),
  },
  cursor: {
    description: 'The `next_cursor` of an earlier page.',
    schema: z
      .string({ error: 'must be given once' })
      .transform((cursor, context): ThreadPosition => {
        const position = decodeCursor(cursor);
        if (position) return position;
        context.addIssue({ code: 'custom', message: 'must be the next_cursor of an earlier page' });
        return z.NEVER;
      })
      .optional(),
  },
};

const beforeProblem = { error: 'must be the next_before of an earlier response' };

export const messagesQuery = {
  include: {
    description: `\`archived\`: also messages before the newest ${ACTIVE_MESSAGES}.`,
    schema: z.literal('archived', { error: 'must be archived' }).optional(),
  },
  before: {
    description: 'The `next_before` of an earlier response: only the messages before it.',
    schema: z
      .string(beforeProblem)
      .regex(/^[1-9]\d{0,8}$/, beforeProblem)
      .transform(Number)
      .pipe(z.int().min(1))
      .optional(),
  },
};
