import type { ErrorDetail, ErrorCode } from '@quire/shared/errors';

interface ErrorExample {
  /** When the code is sent. */
  when: string;
  message: string;
  details?: ErrorDetail[];
}

export const errorExamples: Record<ErrorCode, ErrorExample> = {
  EMPTY_QUERY: {
    when: 'The question is missing or blank',
    message: 'message must not be empty',
    details: [{ path: 'message', problem: 'must not be empty' }],
  },
  QUERY_TOO_LONG: {
    when: 'The question is longer than 1,000 characters',
    message: 'message must not exceed 1000 characters',
    details: [{ path: 'message', problem: 'must not exceed 1000 characters' }],
  },
  INVALID_REQUEST: {
    when: 'Something else is wrong with the request; all problems are listed',
    message: 'tempreature is not known; top_k Too big: expected number to be <=10',
    details: [
      { path: 'tempreature', problem: 'is not known' },
      { path: 'top_k', problem: 'Too big: expected number to be <=10' },
    ],
  },
  INVALID_SESSION_ID: {
    when: 'The session_id is no UUID, or the nil or the max UUID',
    message: 'session_id Invalid UUID',
    details: [{ path: 'session_id', problem: 'Invalid UUID' }],
  },
  UNAUTHORIZED: { when: 'The request has no valid API key', message: 'Send a valid API key' },
  FORBIDDEN: {
    when: 'The key lacks the scope that the message names; or, without authentication, the Host header names another machine',
    message: 'This API key lacks the scope `chat` that this address needs; it has `admin`',
  },
  NOT_FOUND: {
    when: 'It does not exist, or belongs to another tenant',
    message: 'There is no run with this request_id',
  },
  METHOD_NOT_ALLOWED: {
    when: 'The address does not allow the method',
    message: 'This address takes only POST',
  },
  REQUEST_TIMEOUT: {
    when: 'The request took too long to arrive',
    message: 'The request took too long to arrive',
  },
  IDEMPOTENCY_CONFLICT: {
    when: 'The Idempotency-Key was used with another body',
    message: 'This Idempotency-Key was used with another request body',
  },
  CANCELLED: { when: 'The run was cancelled', message: 'The run was cancelled' },
  PAYLOAD_TOO_LARGE: { when: 'The body is larger than 256 KB', message: 'The request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is not declared as JSON, or its encoding is not supported',
    message: 'Send the request body as application/json',
  },
  HEADERS_TOO_LARGE: {
    when: 'The headers are too large or too many',
    message: 'The headers of the request are too large',
  },
  RATE_LIMITED: { when: 'The key has used up its requests', message: 'Too many requests in this minute' },
  TOO_MANY_CONCURRENT: {
    when: 'The key has too many open questions and searches',
    message: 'Too many questions and searches at once',
  },
  RETRIEVAL_UNAVAILABLE: { when: 'The index cannot be searched', message: 'The index is not reachable' },
  OVERLOADED: { when: 'The expected wait is too long', message: 'Too many questions are waiting' },
  QUEUE_UNAVAILABLE: {
    when: 'Redis is not reachable or refuses writes; the message says which',
    message: 'The queue is not reachable',
  },
  STORAGE_UNAVAILABLE: {
    when: 'Postgres is not reachable or refuses writes; the message says which',
    message: 'The database cannot store data: its disk is full',
  },
  SHUTTING_DOWN: { when: 'This gateway is stopping', message: 'This gateway is stopping, try again' },
  DEADLINE_EXCEEDED: {
    when: 'The run did not end before its deadline',
    message: 'The run did not finish before its deadline',
  },
  INTERNAL: { when: 'An unexpected error in Quire', message: 'Something went wrong on our side' },
};
