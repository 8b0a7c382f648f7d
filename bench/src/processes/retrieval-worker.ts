import type { NodeProcess } from './child-process.js';
import type { PrivateStores } from './private-stores.js';
import { withService } from './service.js';

/** The embedding servers of the benchmarks accept any key. */
export const EMBEDDING_KEY = 'bench';
export const EMBEDDING_MODEL = 'bench-embedder';
export const DIMENSIONS = 512;

export const withRetrievalWorker = <T>(
  stores: PrivateStores,
  settings: Record<string, string>,
  work: (worker: NodeProcess) => Promise<T>,
): Promise<T> => withService('services/retrieval-worker/dist/main.js', stores, settings, work);

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
