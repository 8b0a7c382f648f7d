import { httpStatusOf, type ErrorCode } from './error-codes.js';
import {
  DependencyUnavailable,
  Internal,
  INTERNAL_MESSAGE,
  QuireError,
  Superseded,
  type ErrorDetail,
} from './quire-error.js';
import { postgresTrouble, redisTrouble, type StoreTrouble } from './store-trouble.js';

const DEFAULT_RETRY_AFTER_SECONDS = 5;

export interface ClassifiedError {
  code: ErrorCode;
  status: number;
  message: string;
  /** Whether a retry may succeed. */
  retryable: boolean;
  retryAfterSeconds: number | undefined;
  details: ErrorDetail[] | undefined;
}

/** Decides what an error means for the caller, the queue and the metrics. */
export function classifyError(error: unknown): ClassifiedError {
  const known = toQuireError(error);
  const status = httpStatusOf[known.code];
  const overloaded = status === 429 || status === 503;
  return {
    code: known.code,
    status,
    // The message of a defect is for the log only.
    message: known.code === 'INTERNAL' ? INTERNAL_MESSAGE : known.message,
    retryable: known instanceof DependencyUnavailable || known instanceof Superseded,
    retryAfterSeconds: overloaded ? (known.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS) : undefined,
    details: known.details,
  };
}

function toQuireError(error: unknown): QuireError {
  if (error instanceof QuireError) return error;
  const ofPostgres = postgresTrouble(error);
  if (ofPostgres) return unavailable('STORAGE_UNAVAILABLE', ofPostgres, error);
  const ofRedis = redisTrouble(error);
  if (ofRedis) return unavailable('QUEUE_UNAVAILABLE', ofRedis, error);
  return new Internal(undefined, { cause: error });
}

function unavailable(code: ErrorCode, { message, ...when }: StoreTrouble, cause: unknown): QuireError {
  return new DependencyUnavailable(code, message, { cause, ...when });
}
