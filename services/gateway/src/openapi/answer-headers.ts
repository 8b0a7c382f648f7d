import type { ErrorCode } from '@quire/shared/errors';
import type { Reference } from './api-description.js';
import { headerOf } from './shared-parts.js';

/** Refused before the request is counted, or looked up by its Idempotency-Key. */
const refusedAtTheDoor = new Set([400, 401, 403, 405, 408, 413, 415, 431]);

/** What the answers with this status carry, of an operation that can refuse with these codes. */
export function headersOf(status: number, codes: readonly ErrorCode[]): Record<string, Reference> {
  const isLetIn = !refusedAtTheDoor.has(status);
  const isCounted = isLetIn && codes.includes('RATE_LIMITED');
  const mayBeReplay = isLetIn && status !== 429 && codes.includes('IDEMPOTENCY_CONFLICT');
  return {
    ...headerOf('X-Request-Id'),
    ...(status === 401 && headerOf('WWW-Authenticate')),
    ...((status === 429 || status === 503) && headerOf('Retry-After')),
    ...(isCounted && headerOf('RateLimit', 'RateLimit-Policy')),
    ...(mayBeReplay && headerOf('Idempotent-Replayed')),
  };
}
