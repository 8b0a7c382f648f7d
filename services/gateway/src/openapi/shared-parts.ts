import type { Header, Parameter, Reference } from './api-description.js';

export const EXAMPLE_REQUEST_ID = '303e2d52-a741-42d4-acf2-2b8c3b834c85';
export const EXAMPLE_SESSION_ID = 'd605987a-6636-4d7e-9a43-ea2afd5f664c';
export const EXAMPLE_TIME = '2026-11-18T03:15:47.669Z';

const text = { type: 'string' } as const;

/** Headers of answers. */
export const sharedHeaders = {
  'X-Request-Id': {
    description: 'Names the request, and the run of a question; also in every log line about it.',
    required: true,
    schema: { ...text, format: 'uuid' },
  },
  'Retry-After': {
    description:
      'Seconds after which another try may succeed. Callers that are refused at the same moment are given different ones.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  Location: {
    description: 'Where the run can be asked for.',
    required: true,
    schema: { ...text, format: 'uri-reference' },
  },
  'WWW-Authenticate': {
    description: 'How to send a key, and whether the one that was sent is not valid.',
    required: true,
    schema: text,
    example: 'Bearer realm="quire", error="invalid_token"',
  },
  'RateLimit-Policy': {
    description:
      'How many requests (`q`) the key may make in any so many seconds (`w`). Not there without a key.',
    schema: { ...text, pattern: '^"per-minute";q=\\d+;w=\\d+$' },
    example: '"per-minute";q=100;w=60',
  },
  RateLimit: {
    description:
      'How many requests are left (`r`), and in how many seconds there are all of them again (`t`) if none is made meanwhile. There where the request was counted: not on a replay.',
    schema: { ...text, pattern: '^"per-minute";r=\\d+;t=\\d+$' },
    example: '"per-minute";r=42;t=13',
  },
  'Idempotent-Replayed': {
    description: 'There when the Idempotency-Key named a run that was accepted before.',
    schema: { ...text, const: 'true' },
  },
  'Preference-Applied': {
    description: 'There when the answer does not wait for the run because the caller said so.',
    schema: { ...text, const: 'respond-async' },
  },
} as const satisfies Record<string, Header>;

export type SharedHeader = keyof typeof sharedHeaders;

export function headerOf(...names: SharedHeader[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const requestIdParameter: Parameter = {
  name: 'request_id',
  in: 'path',
  required: true,
  description: 'The run, as its acceptance has named it.',
  schema: { ...text, format: 'uuid' },
  example: EXAMPLE_REQUEST_ID,
};
