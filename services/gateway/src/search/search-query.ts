import { searchRequestBodySchema, type RetrievalQuery } from '@quire/shared/contracts';
import { describeProblems } from '../http/describe-problems.js';

/** Turns an untrusted body into a question for the retrieval workers, or throws with every problem listed. */
export function parseSearchQuery(body: unknown): RetrievalQuery {
  const parsed = searchRequestBodySchema.safeParse(body);
  if (!parsed.success) throw describeProblems(parsed.error.issues);
  const { message, query, ...rest } = parsed.data;
  return { ...rest, query: query ?? message ?? '' };
}
