import type { ModelFailureKind } from './chat-model.js';

/** A provider's error, in one form for all providers. */
export interface ProviderError {
  status: number | undefined;
  /** The words meant for programs, in lower case: code, type, status, reasons. */
  words: readonly string[];
  /** The field of the request that the provider blames. */
  param: string | undefined;
  /** The provider's text, which may quote the request. */
  message: string;
}

/** Words that blame this one request: others may succeed. */
const ofTheRequest = new Set([
  'content_filter',
  'content_policy_violation',
  'context_length_exceeded',
  'data_inspection_failed',
  'flagged_input',
  'invalid_prompt',
  'moderation_blocked',
  'request_too_large',
  'responsibleaipolicyviolation',
  'string_above_max_length',
  'tokens_limit_reached',
]);

/** Words that blame what only the operator can fix: the key, its account, or the model's name. */
const ofTheConfiguration = new Set([
  'account_deactivated',
  'authentication_error',
  'billing_disabled',
  'billing_hard_limit_reached',
  'billing_not_active',
  'consumer_invalid',
  'consumer_suspended',
  'deploymentnotfound',
  // Gemini: the region or the account's plan.
  'failed_precondition',
  'incorrect_api_key',
  'insufficient_quota',
  'invalid_api_key',
  'invalid_authentication',
  'invalid_model',
  'model_decommissioned',
  'model_not_found',
  'model_not_supported',
  'model_terms_required',
  'permission_denied',
  'permission_error',
  'service_disabled',
  'unauthenticated',
  'unknown_model',
  'unsupported_country_region_territory',
  'unsupported_model',
]);
const ofTheKey = /^api_key_/;

/** Words that say no more than the status: only with these is the message read. */
const general =
  /^(?:\d{3}|invalid_request(?:_error)?|invalid_argument|bad_?request(?:_?error)?|client specified an invalid argument)$/;

const TOO_MANY_REQUESTS = 429;
/** Unauthorized, payment required, forbidden, not found, wrong method, gone. */
const configurationStatuses = new Set([401, 402, 403, 404, 405, 410]);
/** Bad request, too large, address too long, unprocessable, unavailable for legal reasons. */
const requestStatuses = new Set([400, 413, 414, 422, 451]);

/** OpenAI: a single request above the limit for a minute, so that waiting does not help. */
const tooLarge = /^Request too large for /;
/** Matched at the start only: the rest of a message may quote the caller. */
const refusedKey =
  /^(?:(?:incorrect|invalid) api key\b|api key (?:not valid|not found|is invalid|has expired|expired)\b)/i;

/** Decides whether a refusal concerns this request, the configuration, or is temporary. */
export function refusalKind(error: ProviderError, model: string): ModelFailureKind {
  const { status, words, message } = error;
  if (words.some((word) => ofTheRequest.has(word))) return 'rejected';
  if (words.some((word) => ofTheConfiguration.has(word) || ofTheKey.test(word))) return 'misconfigured';
  if (status === TOO_MANY_REQUESTS) return tooLarge.test(message) ? 'rejected' : 'rate_limited';
  if (status === undefined) return 'unavailable';
  if (configurationStatuses.has(status)) return 'misconfigured';
  if (!requestStatuses.has(status)) return 'unavailable';
  return blamesConfiguration(error, model) ? 'misconfigured' : 'rejected';
}

function blamesConfiguration({ words, param, message }: ProviderError, model: string): boolean {
  if (param === 'model') return true;
  if (!words.every((word) => general.test(word))) return false;
  return refusedKey.test(message) || refusesModel(message, model);
}

/** The message must start with the model's name, which a caller cannot choose. */
function refusesModel(message: string, model: string): boolean {
  const name = model.replaceAll(/[^\w]/g, String.raw`\$&`);
  const quoted = `[\`'"]?(?:models/)?${name}[\`'"]?`;
  const starts = [
    `(?:the )?(?:requested )?model:? ${quoted} (?:does not exist|is not |was not found|not found|has been )`,
    `(?:invalid|unknown|unsupported) model(?: name)?:? ${quoted}`,
    `${quoted} is not (?:a valid model|found|supported)`,
    String.raw`model not exist\b`,
    String.raw`\* GenerateContentRequest\.model: `,
  ];
  return new RegExp(`^(?:${starts.join('|')})`, 'i').test(message);
}
