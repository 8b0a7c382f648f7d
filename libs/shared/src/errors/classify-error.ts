import { httpStatusOf, type ErrorCode } from './error-codes.js';
import {
  DependencyUnavailable,
  Internal,
  INTERNAL_MESSAGE,
  QuireError,
  type ErrorDetail,
} from './quire-error.js';

const DEFAULT_RETRY_AFTER_SECONDS = 5;

/** SQLSTATEs of lost or refused connections, exhausted resources, time-outs, deadlocks and a standby's refusal. */
const postgresAway = /^(08|53|57|40001|40P01|25006|25P03)/;
const postgresAwayMessage =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed/;
const redisAwayMessage =
  /Connection is closed|Stream isn't writeable|Command timed out|Command aborted due to connection close|^(LOADING|OOM|READONLY|MISCONF|NOREPLICAS|MASTERDOWN|CLUSTERDOWN)\b/;
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

export interface ClassifiedError {
  code: ErrorCode;
  status: number;
  message: string;
  /** Whether the same work may succeed when tried again. */
  retryable: boolean;
  retryAfterSeconds: number | undefined;
  details: ErrorDetail[] | undefined;
}

/** The one place that decides what an error means for the caller, the queue and the metrics. */
export function classifyError(error: unknown): ClassifiedError {
  const known = toQuireError(error);
  const status = httpStatusOf[known.code];
  const overloaded = status === 429 || status === 503;
  return {
    code: known.code,
    status,
    // What went wrong inside is for the log, not for the caller.
    message: known.code === 'INTERNAL' ? INTERNAL_MESSAGE : known.message,
    retryable: known instanceof DependencyUnavailable,
    retryAfterSeconds: overloaded ? (known.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS) : undefined,
    details: known.details,
  };
}

function toQuireError(error: unknown): QuireError {
  if (error instanceof QuireError) return error;
  if (isPostgresAway(error)) {
    return new DependencyUnavailable('STORAGE_UNAVAILABLE', 'The database is not reachable', {
      cause: error,
    });
  }
  if (isRedisAway(error)) {
    return new DependencyUnavailable('QUEUE_UNAVAILABLE', 'The queue is not reachable', { cause: error });
  }
  return new Internal(undefined, { cause: error });
}

function isPostgresAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return postgresAway.test(code) || postgresAwayMessage.test(error.message) || networkCodes.has(code);
}

function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'MaxRetriesPerRequestError' || redisAwayMessage.test(error.message);
}
