import { QdrantClient } from '@qdrant/js-client-rest';

export interface QdrantAddress {
  url: string;
  apiKey?: string | undefined;
}

/** A Qdrant client whose requests time out. */
export function connectQdrant({ url, apiKey }: QdrantAddress, timeoutMs: number): QdrantClient {
  const { origin, pathname } = new URL(url);
  // URL drops a scheme's default port, for which the client would use 6333.
  const explicitPort = /^https?:\/\/[^/]*:(\d+)/.exec(url)?.[1];
  return new QdrantClient({
    url: origin,
    ...(explicitPort === undefined ? {} : { port: Number(explicitPort) }),
    prefix: pathname.replace(/\/+$/, ''),
    timeout: timeoutMs,
    checkCompatibility: false,
    // Over keep-alive a compressed response takes about 42 ms, a plain one 0.6 ms; fetch asks for compression.
    // The client's option for the key prints a warning among the JSON logs, even for a Qdrant on loopback.
    headers: { 'accept-encoding': 'identity', ...(apiKey === undefined ? {} : { 'api-key': apiKey }) },
  });
}

/** The HTTP status of Qdrant's error response; undefined if there was no response. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  return typeof error.status === 'number' ? error.status : undefined;
}
