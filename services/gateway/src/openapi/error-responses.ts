import { httpStatusOf, type ErrorCode } from '@quire/shared/errors';
import type { Route } from '../http/route.js';
import { errorExamples } from './error-examples.js';
import { EXAMPLE_REQUEST_ID } from './example-values.js';
import { schemaReference, type ResponseObject } from './openapi-objects.js';
import { headersOf } from './shared-headers.js';

/** What any request can be refused with. */
const protocolErrors: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'FORBIDDEN',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
];
/** Keys are looked up in Postgres. */
const keyErrors: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'STORAGE_UNAVAILABLE'];
const bodyErrors: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
const rateErrors: readonly ErrorCode[] = ['QUEUE_UNAVAILABLE', 'RATE_LIMITED'];
const slotErrors: readonly ErrorCode[] = [...rateErrors, 'SHUTTING_DOWN', 'TOO_MANY_CONCURRENT'];
const limitErrors = { none: [], rate: rateErrors, slot: slotErrors, acceptance: slotErrors };

/** Every code that a route can refuse with: its handler's own, and those of what is done before the handler. */
export function errorsOf(route: Route<never>): ErrorCode[] {
  return [
    ...(route.errors ?? []),
    ...(route.pathParameters ? (['NOT_FOUND'] as const) : []),
    ...(route.body ? bodyErrors : []),
    ...limitErrors[route.limits ?? 'none'],
    ...protocolErrors,
    ...(route.scope === 'open' ? [] : keyErrors),
  ];
}

/** One response for each status, with the codes that it may carry. */
export function errorResponses(codes: readonly ErrorCode[]): Record<number, ResponseObject> {
  const byStatus = new Map<number, Set<ErrorCode>>();
  for (const code of codes) {
    const status = httpStatusOf[code];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, these]) => [
      status,
      { headers: headersOf(status, codes), ...errorResponse([...these]) },
    ]),
  );
}

function errorResponse(codes: readonly ErrorCode[]): ResponseObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorExamples[code].when}.`).join('\n\n'),
    content: {
      'application/json': {
        schema: {
          allOf: [schemaReference('Error'), { properties: { error_code: { enum: [...codes] } } }],
        },
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
      },
    },
  };
}

function exampleOf(code: ErrorCode) {
  const { when, message, details } = errorExamples[code];
  const value = { error_code: code, message, request_id: EXAMPLE_REQUEST_ID, ...(details && { details }) };
  return { summary: when, value };
}
