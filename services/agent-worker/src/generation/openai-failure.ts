import { parseRetryAfter } from '@quire/shared/errors';
import { APIError } from 'openai';
import { ModelFailure, type ModelFailureKind } from './chat-model.js';
import { readProviderError } from './provider-error.js';
import { refusalKind } from './refusal-kind.js';

const messages: Partial<Record<ModelFailureKind, string>> = {
  rate_limited: 'The provider limits our requests',
  misconfigured: 'The provider refused the key or the model',
  rejected: 'The provider refused the request',
};

/** What an error of the SDK means for the chain. */
export function openAiFailure(cause: unknown, model: string): ModelFailure {
  if (!(cause instanceof APIError))
    return new ModelFailure('unavailable', 'The model is not reachable', { cause });
  const error = readProviderError(cause);
  const kind = refusalKind(error, model);
  const words = messages[kind] ?? 'The model is not reachable';
  const message = error.status === undefined ? words : `${words} (${error.status})`;
  const seconds = kind === 'rate_limited' ? parseRetryAfter(cause.headers?.get('retry-after')) : undefined;
  return new ModelFailure(kind, message, {
    cause,
    retryAfterMs: seconds === undefined ? undefined : seconds * 1000,
  });
}
