import type { Header, Parameter, Reference } from './api-description.js';

export const EXAMPLE_REQUEST_ID = '303e2d52-a741-42d4-acf2-2b8c3b834c85';
export const EXAMPLE_SESSION_ID = 'd605987a-6636-4d7e-9a43-ea2afd5f664c';
export const EXAMPLE_TIME = '2026-11-18T03:15:47.669Z';

const text = { type: 'string' } as const;

/** Headers of answers. */
export const sharedHeaders = {
  'X-Request-Id': {
    description: 'Names the request, and the run of a question; also in every log line about it.',
    schema: { ...text, format: 'uuid' },
  },
  'Retry-After': {
    description: 'Seconds after which another try may succeed.',
    schema: { type: 'integer', minimum: 0 },
  },
  Location: { description: 'Where the run can be asked for.', schema: { ...text, format: 'uri-reference' } },
  Allow: { description: 'The methods that this address takes.', schema: text },
  'Idempotent-Replayed': {
    description: 'There when the Idempotency-Key named a run that was accepted before.',
    schema: { ...text, const: 'true' },
  },
  'Preference-Applied': {
    description: 'There when the answer does not wait for the run.',
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
