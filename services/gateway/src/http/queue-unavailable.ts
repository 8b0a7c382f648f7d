import { DependencyUnavailable } from '@quire/shared/errors';

export function queueUnavailable(cause?: unknown): DependencyUnavailable {
  return new DependencyUnavailable('QUEUE_UNAVAILABLE', 'The queue is not reachable, try again shortly', {
    cause,
  });
}
