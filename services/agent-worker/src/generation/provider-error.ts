import type { APIError } from 'openai';
import { z } from 'zod';

/** What a provider says of a request that it refuses, in one form. */
export interface ProviderError {
  status: number | undefined;
  /** The words that are meant for programs, in lower case: code, type, status, reasons. */
  words: readonly string[];
  /** The field of the request that is blamed. */
  param: string | undefined;
  /** In the provider's own words, which may quote the request. */
  message: string;
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
  /** OpenRouter's account of a moderation. */
  metadata: z.object({ flagged_input: z.unknown() }).optional().catch(undefined),
});

/** The error in a body: OpenAI wraps it, Gemini also puts it into a list, Mistral does neither, xAI has a string for it. */
export function unwrapError(body: unknown): object {
  const whole: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof whole === 'string') return { message: whole };
  if (!isObject(whole)) return {};
  const { error } = whole;
  if (typeof error === 'string') return { ...whole, message: error };
  return isObject(error) ? error : whole;
}

export function readProviderError(cause: APIError): ProviderError {
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

/** An error in the middle of a stream has its status, if any, as its code. */
function statusIn(code: string | undefined): number | undefined {
  return code !== undefined && /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
