import { classifyError, DependencyUnavailable } from '@quire/shared/errors';

/** Says why, where the cause is an error of Redis that tells. */
export function queueUnavailable(cause?: unknown): DependencyUnavailable {
  const { code, message, retryAfterSeconds } = classifyError(cause);
  if (code !== 'QUEUE_UNAVAILABLE' || retryAfterSeconds === undefined) {
    return new DependencyUnavailable('QUEUE_UNAVAILABLE', 'The queue is not reachable', { cause });
  }
  return new DependencyUnavailable('QUEUE_UNAVAILABLE', message, { cause, retryAfterSeconds });
}
