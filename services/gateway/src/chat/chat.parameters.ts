import { z } from 'zod';
import { EXAMPLE_REQUEST_ID } from '../openapi/example-values.js';

export const NO_RUN = 'There is no run with this request_id';

export const runPath = {
  request_id: {
    description: 'The id of the run, which its acceptance returned.',
    schema: z.uuid().toLowerCase(),
    example: EXAMPLE_REQUEST_ID,
    notFound: NO_RUN,
  },
};

// Headers without examples: the docs page would send them along with every question that is tried there.

export const idempotencyKey = {
  'Idempotency-Key': {
    description: 'Names the question: for 24 hours, requests with the same key and body get the same run.',
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/, { error: 'must be 1 to 255 visible ASCII characters' })
      .optional(),
  },
};

export const prefer = {
  Prefer: {
    description:
      '`respond-async`: respond with 202 at once and with the `Location` of the run, which then continues without a client, also if an earlier request waited for it.',
    schema: z.string().optional(),
  },
};

const position = z
  .string({ error: 'must be given once' })
  .regex(/^\d{0,9}$/, { error: 'must be the id of an event of this run' })
  .transform(Number)
  .pipe(z.int().min(0).max(999_999_999))
  .optional();

/** Where to resume; the header counts if both are given. */
export const lastEventId = {
  'Last-Event-ID': {
    description: 'The id of the last event that the client has; browsers send it automatically.',
    schema: position,
  },
};
export const afterQuery = {
  after: { description: 'The same, for clients that cannot set headers.', schema: position },
};

export interface ResumeInputs {
  headers: { 'Last-Event-ID'?: number | undefined };
  query: { after?: number | undefined };
}

export const resumePosition = ({ headers, query }: ResumeInputs): number =>
  headers['Last-Event-ID'] ?? query.after ?? 0;
