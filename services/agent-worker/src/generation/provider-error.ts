import { parseRetryAfter } from '@quire/shared/errors';
import OpenAI, { APIError } from 'openai';
import { z } from 'zod';
import { ModelFailure, type ModelFailureKind } from './chat-model.js';
import { refusalKind, type ProviderError } from './refusal-kind.js';

/** The SDK's client, extended to keep error bodies that are not in OpenAI's form. */
export class ProviderClient extends OpenAI {
  protected override makeStatusError(
    status: number,
    body: object | undefined,
    message: string | undefined,
    headers: Headers,
  ): APIError {
    const error = body === undefined ? {} : { error: unwrapError(body) };
    return super.makeStatusError(status, error, message, headers);
  }
}

const messages: Partial<Record<ModelFailureKind, string>> = {
  rate_limited: 'The provider limits the rate of requests',
  misconfigured: 'The provider refused the key or the model',
  rejected: 'The provider refused the request',
};

/** Maps an error of the SDK to a `ModelFailure`. */
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

const word = z.union([z.string(), z.number()]).transform(String).optional().catch(undefined);
const schema = z.object({
  message: z.string().catch(''),
  code: word,
  type: word,
  param: word,
  /** Google's name for the status. */
  status: word,
  details: z
    .array(z.object({ reason: word }).catch({ reason: undefined }))
    .optional()
    .catch(undefined),
  /** OpenRouter's report of a moderation. */
  metadata: z.object({ flagged_input: z.unknown() }).optional().catch(undefined),
});

/** Finds the error in a body: OpenAI wraps it, Gemini also puts it into a list, Mistral does neither, xAI sends a string. */
function unwrapError(body: unknown): object {
  const whole: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof whole === 'string') return { message: whole };
  if (!isObject(whole)) return {};
  const { error } = whole;
  if (typeof error === 'string') return { ...whole, message: error };
  return isObject(error) ? error : whole;
}

function readProviderError(cause: APIError): ProviderError {
  const { message, code, type, param, status, details, metadata } = schema.parse(unwrapError(cause.error));
  const words = [code, type, status, ...(details ?? []).map(({ reason }) => reason)];
  if (metadata?.flagged_input !== undefined) words.push('flagged_input');
  return {
    status: cause.status ?? statusIn(code),
    words: words.flatMap((each) => each?.toLowerCase() ?? []),
    param,
    message,
  };
}

/** An error in the middle of a stream carries its status, if any, as its code. */
function statusIn(code: string | undefined): number | undefined {
  return code !== undefined && /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
