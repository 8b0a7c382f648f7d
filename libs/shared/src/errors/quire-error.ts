import { httpStatusOf, type ErrorCode } from './error-codes.js';

export interface ErrorDetail {
  path: string;
  problem: string;
}

interface ErrorContext {
  cause?: unknown;
  details?: ErrorDetail[];
  retryAfterSeconds?: number;
}

export const INTERNAL_MESSAGE = 'Something went wrong on our side';

/** Base of Quire's errors: the message is for the caller, and never quotes a dependency. */
export abstract class QuireError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, { cause: context.cause });
    this.name = new.target.name;
    this.code = code;
    this.details = context.details;
    this.retryAfterSeconds = context.retryAfterSeconds;
  }
}

/** The request is invalid. */
export class InvalidInput extends QuireError {}
/** The caller is not authenticated, or lacks a scope. */
export class AccessDenied extends QuireError {}
export class NotFound extends QuireError {}
/** The request conflicts with an earlier one. */
export class Conflict extends QuireError {}
/** The caller has exceeded a limit. */
export class LimitExceeded extends QuireError {}
/** A store, queue or provider is unavailable; a later retry may help. */
export class DependencyUnavailable extends QuireError {}
/** The deadline of the run is over. */
export class DeadlineExceeded extends QuireError {
  constructor(message = 'The run did not finish before its deadline', context: ErrorContext = {}) {
    super('DEADLINE_EXCEEDED', message, context);
  }
}
/**
 * A later attempt has claimed the run of this execution. Retryable: the worker of that attempt may be lost, or its claim
 * may have taken effect without its knowledge. If that worker does execute the run, it holds the job's lock and the
 * retry is not recorded.
 */
export class Superseded extends QuireError {
  constructor(context: ErrorContext = {}) {
    super('INTERNAL', 'A later attempt has claimed the run', context);
  }
}
/** A defect of Quire. */
export class Internal extends QuireError {
  constructor(message = INTERNAL_MESSAGE, context: ErrorContext = {}) {
    super('INTERNAL', message, context);
  }
}

/** Rebuilds an error that another process has sent as its code and message. */
export function errorWithCode(code: ErrorCode, message: string, context: ErrorContext = {}): QuireError {
  const status = httpStatusOf[code];
  if (code === 'DEADLINE_EXCEEDED') return new DeadlineExceeded(message, context);
  if (code === 'NOT_FOUND') return new NotFound(code, message, context);
  if (status === 401 || status === 403) return new AccessDenied(code, message, context);
  if (status === 409) return new Conflict(code, message, context);
  if (status === 429) return new LimitExceeded(code, message, context);
  if (status === 503) return new DependencyUnavailable(code, message, context);
  if (status < 500) return new InvalidInput(code, message, context);
  return new Internal(message, context);
}
