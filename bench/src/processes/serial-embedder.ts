import { spawnNode } from './child-process.js';

export interface SerialEmbedder {
  baseUrl: string;
  /** Returns the number of texts in each call since the last `takeCalls`. */
  takeCalls(): Promise<number[]>;
}

/** Runs the embedder in a separate process, so that busy clients in this one do not slow down its calls. */
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
