import { DependencyUnavailable, Internal, parseRetryAfter } from '@quire/shared/errors';

/** The provider understood us and refused: the key, the model or the dimension is wrong, so trying again is idle. */
export class ProviderMisconfigured extends Internal {}

/** Refused for what the request held: the configuration is wrong, or one of the texts is. */
export class TextsRefused extends ProviderMisconfigured {}

const worthAnotherTry = new Set([408, 409, 425, 429]);
const saysWhenToComeBack = new Set([429, 503]);
const aboutTheTexts = new Set([400, 413, 422]);

export interface ProviderAnswer {
  status?: number | undefined;
  headers?: Headers | undefined;
}

/** What a provider's answer means for the work; `status` is undefined when there was no answer at all. */
export function providerFailure(
  providerId: string,
  { status, headers }: ProviderAnswer,
  cause: unknown,
): Error {
  if (status === undefined || status >= 500 || worthAnotherTry.has(status)) {
    const retryAfterSeconds =
      status !== undefined && saysWhenToComeBack.has(status)
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
