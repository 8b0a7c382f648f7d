import { DependencyUnavailable, Internal } from '@quire/shared/errors';

/** The HTTP status of Qdrant's refusal; undefined when it did not answer at all. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  return typeof error.status === 'number' ? error.status : undefined;
}

/** Qdrant away, overloaded or restarting may pass; a request it refuses will be refused again. */
export function qdrantFailure(cause: unknown): Error {
  const status = statusOf(cause);
  if (status === undefined || status >= 500 || status === 408 || status === 429) {
    return new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The search index is not reachable', { cause });
  }
  return new Internal(`The search index refused the request (HTTP ${status})`, { cause });
}
