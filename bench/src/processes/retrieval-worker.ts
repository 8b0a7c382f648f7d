import { spawnNode, type NodeProcess } from './child-process.js';
import type { PrivateStores } from './private-stores.js';

/** Any key will do for the embedding servers of the benchmarks. */
export const EMBEDDING_KEY = 'bench';
export const EMBEDDING_MODEL = 'bench-embedder';
export const DIMENSIONS = 512;

/** The built worker as it runs in production, at its usual log level. */
export async function withRetrievalWorker<T>(
  { env }: PrivateStores,
  settings: Record<string, string>,
  work: (worker: NodeProcess) => Promise<T>,
): Promise<T> {
  const worker = spawnNode('services/retrieval-worker/dist/main.js', [], { env: { ...env, ...settings } });
  try {
    await worker.firstLine((line) => line.includes('"message":"Started"'));
    return await worker.whileRunning(work(worker));
  } finally {
    await worker.stop();
  }
}

/** With `lenient`, questions of made-up words find passages, so that there is something to rank and to send. */
export function openAiSettings(baseUrl: string): Record<string, string> {
  return {
    EMBEDDER: 'openai',
    EMBEDDING_BASE_URL: baseUrl,
    EMBEDDING_API_KEY: EMBEDDING_KEY,
    EMBEDDING_MODEL,
    EMBEDDING_DIMENSIONS: String(DIMENSIONS),
    CONFIDENCE_PRESET: 'lenient',
  };
}
