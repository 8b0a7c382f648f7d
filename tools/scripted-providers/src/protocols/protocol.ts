import type { ErrorBehaviour } from '../behaviours/fault.js';

/** The words in which a provider refuses a request. */
export interface Protocol {
  errorBody(error: ErrorBehaviour): object;
  wrongApiKey(): ErrorBehaviour;
  unknownModel(model: string): ErrorBehaviour;
  unknownPath(method: string, path: string): ErrorBehaviour;
  invalidBody(reason: string): ErrorBehaviour;
}
