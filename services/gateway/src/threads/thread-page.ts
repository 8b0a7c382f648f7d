import { THREADS_PER_PAGE_DEFAULT, THREADS_PER_PAGE_MAX } from '@quire/shared/contracts';
import type { ThreadPage, ThreadPosition } from '@quire/shared/database';
import { z } from 'zod';
import { describeProblems } from '../http/describe-problems.js';
import { decodeCursor } from './thread-cursor.js';

const limitProblem = { error: `must be a whole number from 1 to ${THREADS_PER_PAGE_MAX}` };

const pageSchema = z.strictObject({
  limit: z
    .string(limitProblem)
    .regex(/^\d{1,3}$/, limitProblem)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= THREADS_PER_PAGE_MAX, limitProblem)
    .default(THREADS_PER_PAGE_DEFAULT),
  cursor: z
    .string({ error: 'must be given once' })
    .transform((cursor, context): ThreadPosition => {
      const position = decodeCursor(cursor);
      if (position) return position;
      context.addIssue({ code: 'custom', message: 'must be the next_cursor of an earlier page' });
      return z.NEVER;
    })
    .optional(),
});

/** Turns the untrusted query of `GET /threads` into a page, or throws with every problem listed. */
export function parseThreadPage(query: unknown): ThreadPage {
  const parsed = pageSchema.safeParse(query);
  if (!parsed.success) throw describeProblems(parsed.error.issues);
  return { limit: parsed.data.limit, after: parsed.data.cursor };
}
