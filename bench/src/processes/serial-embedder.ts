import { spawnNode } from './child-process.js';

export interface SerialEmbedder {
  baseUrl: string;
  /** The number of texts in each call since the last time this was asked. */
  takeCalls(): Promise<number[]>;
}

/** In a separate process: the busy clients in this one must not make its calls longer. */
export async function withSerialEmbedder<T>(work: (embedder: SerialEmbedder) => Promise<T>): Promise<T> {
  const server = spawnNode('bench/dist/batching/serial-embedder.js', []);
  try {
    const address = await server.firstLine((line) => line.startsWith('http:'));
    return await work({
      baseUrl: `${address}/v1`,
      takeCalls: async () => (await (await fetch(`${address}/calls`)).json()) as number[],
    });
  } finally {
    await server.stop();
  }
}
