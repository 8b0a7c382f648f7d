import { spawnNode } from './child-process.js';

/** The scripted providers in a separate process, so that they take no CPU time from the measured one. */
export function withEmbeddingServer<T>(latencyMs: number, work: (baseUrl: string) => Promise<T>): Promise<T> {
  return withProviders(latencyMs, ({ openaiBaseUrl }) => work(openaiBaseUrl));
}

export interface ProviderAddresses {
  openaiBaseUrl: string;
  geminiBaseUrl: string;
}

export async function withProviders<T>(
  latencyMs: number,
  work: (addresses: ProviderAddresses) => Promise<T>,
): Promise<T> {
  const server = spawnNode('tools/scripted-providers/dist/main.js', ['--embed-ms', String(latencyMs)]);
  try {
    const addresses = await server.firstLine((line) => line.startsWith('{'));
    return await work(JSON.parse(addresses) as ProviderAddresses);
  } finally {
    await server.stop();
  }
}
