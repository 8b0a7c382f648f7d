import { openLocalEmbedder } from '@quire/retrieval-worker/local-embedder';

/** Every thread has loaded its model and compiled its kernels by then. */
const WARM_UP_TEXTS = 32;

/** Texts a second of the local embedder alone, with as many threads and calls as the worker gives it. */
export async function localEmbeddingRate(texts: readonly string[]): Promise<number> {
  const embedder = openLocalEmbedder();
  const { signal } = new AbortController();
  try {
    await embedder.embed(texts.slice(0, WARM_UP_TEXTS), 'document', signal);
    const startedAt = performance.now();
    await embedder.embed(texts, 'document', signal);
    return (texts.length / (performance.now() - startedAt)) * 1000;
  } finally {
    await embedder.close();
  }
}
