import type { ErrorCode } from '@quire/shared/errors';
import type { HeaderObject, Reference } from './openapi-objects.js';

const text = { type: 'string' } as const;

/** Headers of responses. */
export const sharedHeaders = {
  'X-Request-Id': {
    description: 'The id of the request, and of the run of a question; it is in every log line about it.',
    required: true,
    schema: { ...text, format: 'uuid' },
  },
  'Retry-After': {
    description:
      'Seconds until a retry may succeed. Callers that are refused at the same moment get different values.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  Location: {
    description: 'The address of the run.',
    required: true,
    schema: { ...text, format: 'uri-reference' },
  },
  'WWW-Authenticate': {
    description: 'How to send a key, and whether the one in the request is invalid.',
    required: true,
    schema: text,
    example: 'Bearer realm="quire", error="invalid_token"',
  },
  'RateLimit-Policy': {
    description:
      'How many requests (`q`) the key may make in any window of `w` seconds. Absent without a key.',
    schema: { ...text, pattern: '^"per-minute";q=\\d+;w=\\d+$' },
    example: '"per-minute";q=100;w=60',
  },
  RateLimit: {
    description:
      'How many requests are left (`r`), and in how many seconds all of them are available again (`t`) if none is made until then. Absent if the request was not counted, as a replay.',
    schema: { ...text, pattern: '^"per-minute";r=\\d+;t=\\d+$' },
    example: '"per-minute";r=42;t=13',
  },
  'Idempotent-Replayed': {
    description: 'Present if the Idempotency-Key names a run that was accepted before.',
    schema: { ...text, const: 'true' },
  },
  'Preference-Applied': {
    description: 'Present if the response does not wait for the run because the request asked for that.',
    schema: { ...text, const: 'respond-async' },
  },
} as const satisfies Record<string, HeaderObject>;

export type SharedHeader = keyof typeof sharedHeaders;

const reference = (...names: readonly SharedHeader[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Refused before the request is counted, or looked up by its Idempotency-Key. */
const refusedEarly = new Set([400, 401, 403, 405, 408, 413, 415, 431]);

/** The headers of a response with this status, of a route that can refuse with these codes. */
export function headersOf(
  status: number,
  codes: readonly ErrorCode[],
  more: readonly SharedHeader[] = [],
): Record<string, Reference> {
  const isCounted = !refusedEarly.has(status) && codes.includes('RATE_LIMITED');
  const mayBeReplay = isCounted && status !== 429 && codes.includes('IDEMPOTENCY_CONFLICT');
  return {
    ...reference('X-Request-Id'),
    ...(status === 401 && reference('WWW-Authenticate')),
    ...((status === 429 || status === 503) && reference('Retry-After')),
    ...(isCounted && reference('RateLimit', 'RateLimit-Policy')),
    ...(mayBeReplay && reference('Idempotent-Replayed')),
    ...reference(...more),
  };
}
