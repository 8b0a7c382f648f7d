import OpenAI, { type APIError } from 'openai';
import { unwrapError } from './provider-error.js';

/** The SDK's client; it keeps what a provider says of an error also where that is not in OpenAI's form. */
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
