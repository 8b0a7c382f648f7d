import { InvalidInput } from '@quire/shared/errors';
import type { Request } from 'express';
import { z } from 'zod';
import { describeProblems } from '../http/describe-problems.js';

const querySchema = z.strictObject({ after: z.string({ error: 'must be given once' }).optional() });

/** `Last-Event-ID` as browsers send it, or `?after=` for clients that cannot set headers; no other query is known. */
export function parseResumePosition(req: Pick<Request, 'get' | 'query'>): number {
  const parsed = querySchema.safeParse(req.query);
  if (!parsed.success) throw describeProblems(parsed.error.issues);
  const given = req.get('last-event-id') ?? parsed.data.after;
  if (given === undefined || given === '') return 0;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new InvalidInput('INVALID_REQUEST', 'Last-Event-ID must be the id of an event of this run');
}
