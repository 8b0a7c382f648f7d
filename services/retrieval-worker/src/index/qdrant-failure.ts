import { DependencyUnavailable, Internal, QuireError } from '@quire/shared/errors';
import { ForeignCollection, statusOf } from '@quire/shared/qdrant';
import { z } from 'zod';

/** The collection is not there any more: another one answers now. */
export class IndexGone extends DependencyUnavailable {
  constructor(collection: string) {
    super('RETRIEVAL_UNAVAILABLE', 'The search index is being replaced', {
      cause: new Error(`The collection ${collection} is gone`),
    });
  }
}

/** Qdrant away, overloaded or restarting may pass; a request it refuses will be refused again. */
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

/** Runs calls to Qdrant so that they reject with our own errors only. */
export async function asOurError<T>(call: () => Promise<T>, collection?: string): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw qdrantFailure(error, collection);
  }
}
