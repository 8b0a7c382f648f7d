import { DependencyUnavailable, Internal, parseRetryAfter } from '@quire/shared/errors';

/** The provider refused the request: the key, the model or the dimension is wrong, so a retry cannot help. */
export class ProviderMisconfigured extends Internal {}

/** Refused because of the content: the configuration is wrong, or one of the texts. */
export class TextsRefused extends ProviderMisconfigured {}

const retryable = new Set([408, 409, 425, 429]);
const mayHaveRetryAfter = new Set([429, 503]);
const aboutTheTexts = new Set([400, 413, 422]);

export interface ProviderResponse {
  status?: number | undefined;
  headers?: Headers | undefined;
}

/** The error for a provider's response; `status` is undefined when there was none. */
export function providerFailure(
  providerId: string,
  { status, headers }: ProviderResponse,
  cause: unknown,
): Error {
  if (status === undefined || status >= 500 || retryable.has(status)) {
    const retryAfterSeconds =
      status !== undefined && mayHaveRetryAfter.has(status)
        ? parseRetryAfter(headers?.get('retry-after'))
        : undefined;
    return new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', `${providerId} is not reachable`, {
      cause,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
  const Refusal = aboutTheTexts.has(status) ? TextsRefused : ProviderMisconfigured;
  return new Refusal(
    `${providerId} refused the request (HTTP ${status}): check the key, the model and other settings`,
    { cause },
  );
}
