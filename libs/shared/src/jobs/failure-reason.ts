import { classifyError, DependencyUnavailable, DeadlineExceeded, Internal, type QuireError } from '../errors/index.js';

/** BullMQ keeps only a string of a failure; ours starts with the error code so that it can be told apart later. */
export function describeFailure(error: unknown): string {
  const { code, message } = classifyError(error);
  return `${code}: ${message}`;
}

/** The reverse of `describeFailure`, for whoever waits for the job's result. */
export function errorFromFailure(reason: string): QuireError {
  const [, code, message] = /^([A-Z_]+): (.*)$/s.exec(reason) ?? [];
  if (code === 'RETRIEVAL_UNAVAILABLE' || code === 'QUEUE_UNAVAILABLE' || code === 'STORAGE_UNAVAILABLE') {
    return new DependencyUnavailable(code, message ?? reason);
  }
  if (code === 'DEADLINE_EXCEEDED') return new DeadlineExceeded(message);
  return new Internal(undefined, { cause: new Error(reason) });
}
