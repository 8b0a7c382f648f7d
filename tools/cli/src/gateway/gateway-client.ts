import {
  cancellationSchema,
  threadListSchema,
  type Cancellation,
  type ThreadList,
} from '@quire/shared/contracts';
import type { z } from 'zod';
import { CommandFailure } from '../command-failure.js';
import type { GatewayAddress } from './gateway-address.js';
import { failureOf, notReachable } from './gateway-failure.js';

/** Of requests other than questions; a cancellation takes the gateway up to 5 s. */
const RESPONSE_LIMIT_MS = 6000;

interface Call {
  method?: 'POST' | 'DELETE';
  headers?: Record<string, string>;
  body?: unknown;
  signal: AbortSignal;
}

/** The gateway's HTTP API; every failure is a `CommandFailure`. */
export class GatewayClient {
  constructor(private readonly address: GatewayAddress) {}

  /** Resolves for status 2xx alone. */
  async call(path: string, { method, headers, body, signal }: Call): Promise<Response> {
    const { url, apiKey } = this.address;
    const response = await fetch(new URL(path, url.endsWith('/') ? url : `${url}/`), {
      method: method ?? 'GET',
      headers: {
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    }).catch((error: unknown) => {
      throw signal.aborted ? error : notReachable(url);
    });
    if (response.ok) return response;
    throw await failureOf(response);
  }

  async cancel(requestId: string): Promise<Cancellation> {
    const signal = AbortSignal.timeout(RESPONSE_LIMIT_MS);
    return parsed(cancellationSchema, await this.call(`chat/${requestId}`, { method: 'DELETE', signal }));
  }

  /** The first page of the newest threads. */
  async threads(): Promise<ThreadList> {
    return parsed(
      threadListSchema,
      await this.call('threads', { signal: AbortSignal.timeout(RESPONSE_LIMIT_MS) }),
    );
  }
}

async function parsed<T>(schema: z.ZodType<T>, response: Response): Promise<T> {
  const content = schema.safeParse(await response.json().catch(() => undefined));
  if (content.success) return content.data;
  throw new CommandFailure(`${response.url} sent an unexpected response: is that a Quire gateway?`);
}
