import { CohereError } from 'cohere-ai';
import type { ProviderAnswer } from './provider-failure.js';

/** What Cohere answered with, from the error that its SDK makes of it. */
export function cohereAnswer(error: unknown): ProviderAnswer {
  if (!(error instanceof CohereError)) return {};
  return { status: error.statusCode, headers: error.rawResponse?.headers };
}
