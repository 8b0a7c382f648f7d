import type { MessageRange } from '@quire/shared/database';
import { z } from 'zod';
import { describeProblems } from '../http/describe-problems.js';

const beforeProblem = { error: 'must be the next_before of an earlier answer' };

const rangeSchema = z.strictObject({
  include: z.literal('archived', { error: 'must be archived' }).optional(),
  before: z
    .string(beforeProblem)
    .regex(/^[1-9]\d{0,8}$/, beforeProblem)
    .transform(Number)
    .optional(),
});

/** Turns the untrusted query of `GET /threads/{id}` into the messages it asks for, or throws with every problem listed. */
export function parseMessageRange(query: unknown): MessageRange {
  const parsed = rangeSchema.safeParse(query);
  if (!parsed.success) throw describeProblems(parsed.error.issues);
  return { includeArchived: parsed.data.include === 'archived', before: parsed.data.before };
}
