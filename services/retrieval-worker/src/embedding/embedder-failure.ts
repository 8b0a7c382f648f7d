import { DependencyUnavailable, Internal } from '@quire/shared/errors';

/** The provider understood us and refused: the key, the model or the dimension is wrong, so trying again is idle. */
export class EmbedderMisconfigured extends Internal {}

const worthAnotherTry = new Set([408, 409, 425, 429]);

/** What a provider's answer means for the job; `status` is undefined when there was no answer at all. */
export function embedderFailure(embedderId: string, status: number | undefined, cause: unknown): Error {
  if (status === undefined || status >= 500 || worthAnotherTry.has(status)) {
    return new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The embedding provider is not reachable', {
      cause,
    });
  }
  return new EmbedderMisconfigured(
    `The embedding provider refused the request (HTTP ${status}): check the key, model and dimensions of ${embedderId}`,
    { cause },
  );
}
