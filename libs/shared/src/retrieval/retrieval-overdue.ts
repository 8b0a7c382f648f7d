import { DependencyUnavailable } from '../errors/index.js';

/** No worker answered within the time that was set for it: to the caller the same as an index that is away. */
export function retrievalOverdue(cause: unknown): DependencyUnavailable {
  return new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The book could not be searched in time', {
    cause,
  });
}
