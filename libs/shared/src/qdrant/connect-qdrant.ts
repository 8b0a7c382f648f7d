import { QdrantClient } from '@qdrant/js-client-rest';

export interface QdrantAddress {
  url: string;
  apiKey?: string | undefined;
}

/** A Qdrant client whose requests are bounded in time. */
export function connectQdrant({ url, apiKey }: QdrantAddress, timeoutMs: number): QdrantClient {
  const { origin, pathname } = new URL(url);
  // URL drops a scheme's default port, and the client would take its own, 6333.
  const explicitPort = /^https?:\/\/[^/]*:(\d+)/.exec(url)?.[1];
  return new QdrantClient({
    url: origin,
    ...(explicitPort === undefined ? {} : { port: Number(explicitPort) }),
    prefix: pathname.replace(/\/+$/, ''),
    timeout: timeoutMs,
    checkCompatibility: false,
    // A compressed answer takes about 42 ms over keep-alive, a plain one 0.6 ms; fetch asks for compression.
    // The client's own option for the key prints a warning into the JSON log, for a Qdrant on loopback as well.
    headers: { 'accept-encoding': 'identity', ...(apiKey === undefined ? {} : { 'api-key': apiKey }) },
  });
}
