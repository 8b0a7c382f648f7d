import type { ErrorBehaviour } from '../behaviours/fault.js';

/** A provider's error messages. */
export interface Protocol {
  errorBody(error: ErrorBehaviour): object;
  wrongApiKey(): ErrorBehaviour;
  unknownModel(model: string): ErrorBehaviour;
  unknownPath(method: string, path: string): ErrorBehaviour;
  invalidBody(reason: string): ErrorBehaviour;
}
