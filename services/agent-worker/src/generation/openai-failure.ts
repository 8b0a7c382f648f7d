import { parseRetryAfter } from '@quire/shared/errors';
import { APIError } from 'openai';
import { ModelFailure } from './model-failure.js';

const TOO_MANY_REQUESTS = 429;
/** Statuses by which providers refuse a key, a model name or our request as such. */
const configurationStatuses = new Set([400, 401, 403, 404, 422]);

/** What a provider's answer, or its silence, means for the chain. */
export function openAiFailure(cause: unknown, stalled: boolean): ModelFailure {
  if (stalled) return new ModelFailure('unavailable', 'The model fell silent', { cause });
  const status = cause instanceof APIError ? (cause.status as number | undefined) : undefined;
  if (status === TOO_MANY_REQUESTS) {
    const seconds = parseRetryAfter((cause as APIError).headers?.get('retry-after'));
    const retryAfterMs = seconds === undefined ? undefined : seconds * 1000;
    return new ModelFailure('rate_limited', 'The provider limits our requests', { cause, retryAfterMs });
  }
  if (status !== undefined && configurationStatuses.has(status)) {
    return new ModelFailure('misconfigured', `The provider refused the request (${status})`, { cause });
  }
  return new ModelFailure('unavailable', 'The model is not reachable', { cause });
}
