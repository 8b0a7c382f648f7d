import type { ErrorCode } from '@quire/shared/errors';

/** How callers show who they are. */
export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key of `quire keys`.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key, another header.' },
} as const;

/** On loopback authentication may be off: then no key is needed. */
export const security: readonly Record<string, never[]>[] = [{ bearer: [] }, { apiKey: [] }, {}];

/** What every operation that takes a key can refuse with; keys are looked up in Postgres. */
export const guardErrors: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'STORAGE_UNAVAILABLE'];

/** What any request can be refused with, whatever it asks for. */
export const protocolErrors: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'FORBIDDEN',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
];
