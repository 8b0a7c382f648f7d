import { z } from 'zod';

/** All error codes with their HTTP status. Responses with 429 and 503 have a Retry-After. */
export const httpStatusOf = {
  EMPTY_QUERY: 400,
  QUERY_TOO_LONG: 400,
  INVALID_REQUEST: 400,
  INVALID_SESSION_ID: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  IDEMPOTENCY_CONFLICT: 409,
  CANCELLED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  HEADERS_TOO_LARGE: 431,
  RATE_LIMITED: 429,
  TOO_MANY_CONCURRENT: 429,
  RETRIEVAL_UNAVAILABLE: 503,
  OVERLOADED: 503,
  QUEUE_UNAVAILABLE: 503,
  STORAGE_UNAVAILABLE: 503,
  SHUTTING_DOWN: 503,
  DEADLINE_EXCEEDED: 504,
  INTERNAL: 500,
} as const;

export type ErrorCode = keyof typeof httpStatusOf;

export const errorCodeSchema = z.enum(Object.keys(httpStatusOf) as [ErrorCode, ...ErrorCode[]]);
