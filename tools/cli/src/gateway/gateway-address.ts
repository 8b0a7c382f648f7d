import type { Surroundings } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { isWebAddress } from '../option-values.js';
import { findStack } from '../stack-file.js';

const DEFAULT_URL = 'http://127.0.0.1:8787';

export interface GatewayAddress {
  url: string;
  apiKey: string | undefined;
}

export interface GatewayOptions {
  url?: string | undefined;
  apiKey?: string | undefined;
}

/** `--url`, else `QUIRE_URL`, else the gateway of the embedded stack, else where it listens by default. */
export async function gatewayAddress(
  surroundings: Surroundings,
  { url: option, apiKey: given }: GatewayOptions = {},
): Promise<GatewayAddress> {
  const { QUIRE_URL: own, QUIRE_API_KEY } = surroundings.env;
  const apiKey = given ?? (QUIRE_API_KEY || undefined);
  if (option !== undefined) return { url: option, apiKey };
  if (own && !isWebAddress(own)) throw new CommandFailure('QUIRE_URL must be an http:// or https:// URL.');
  if (own) return { url: own, apiKey };
  const stack = await findStack(surroundings);
  if (stack?.gatewayUrl === undefined) return { url: DEFAULT_URL, apiKey };
  if (typeof stack.gatewayUrl === 'string' && isWebAddress(stack.gatewayUrl))
    return { url: stack.gatewayUrl, apiKey };
  throw new CommandFailure(`${stack.file} does not hold the http:// URL of the gateway.`);
}
