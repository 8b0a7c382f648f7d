import { createHash } from 'node:crypto';

export interface ModelAddress {
  baseUrl: string;
  apiKey: string;
  model: string;
}

/**
 * Identifies a model by endpoint, key and name, so that a corrected key starts without the failures of the wrong one. The
 * key cannot be read from it.
 */
export function modelId({ baseUrl, apiKey, model }: ModelAddress): string {
  const account = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
  return `${account.slice(0, 12)}:${model}`;
}
