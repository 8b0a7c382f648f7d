import type { Parameter } from '../openapi/api-description.js';

// Without examples: the docs page would send them along with every question that is tried there.

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names the question: the same key and body give the same run for 24 hours, however often they are sent.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
};

export const prefer: Parameter = {
  name: 'Prefer',
  in: 'header',
  description:
    '`respond-async`: answer 202 at once, with the `Location` of the run, which then goes on without a client, also if it was first asked for otherwise.',
  schema: { type: 'string' },
};

const position = { type: 'integer', minimum: 0, maximum: 999_999_999 } as const;

/** Where to go on; the header counts if both are given. */
export const afterParameters: readonly Parameter[] = [
  {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The last event that the client has seen; browsers send it by themselves.',
    schema: position,
  },
  {
    name: 'after',
    in: 'query',
    description: 'The same, for clients that cannot set headers.',
    schema: position,
  },
];
