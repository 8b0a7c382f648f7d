import { DependencyUnavailable, Internal, QuireError } from '@quire/shared/errors';
import { ForeignCollection, statusOf } from '@quire/shared/qdrant';
import { z } from 'zod';

/** The collection has been replaced and removed. */
export class IndexGone extends DependencyUnavailable {
  constructor(collection: string) {
    super('RETRIEVAL_UNAVAILABLE', 'The search index is being replaced', {
      cause: new Error(`The collection ${collection} is gone`),
    });
  }
}

/** Retryable if Qdrant is away, overloaded or restarting; a request that it refuses is a defect. */
export function qdrantFailure(cause: unknown, collection?: string): Error {
  if (cause instanceof QuireError || cause instanceof ForeignCollection || cause instanceof z.ZodError) {
    return cause;
  }
  const status = statusOf(cause);
  if (status === 404 && collection !== undefined) return new IndexGone(collection);
  if (status === undefined || status >= 500 || status === 408 || status === 429) {
    return new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The search index is not reachable', { cause });
  }
  return new Internal(`The search index refused the request (HTTP ${status})`, { cause });
}

/** Converts the errors of a call to Qdrant. */
export async function asOurError<T>(call: () => Promise<T>, collection?: string): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw qdrantFailure(error, collection);
  }
}
