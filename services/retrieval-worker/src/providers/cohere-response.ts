import { CohereError } from 'cohere-ai';
import type { ProviderResponse } from './provider-failure.js';

/** Cohere's response, from the error that its SDK throws. */
export function cohereResponse(error: unknown): ProviderResponse {
  if (!(error instanceof CohereError)) return {};
  return { status: error.statusCode, headers: error.rawResponse?.headers };
}
