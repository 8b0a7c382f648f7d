import { DIMENSIONS, EMBEDDING_MODEL } from '../processes/retrieval-worker.js';

/** Embeds one text in one call, as callers without the worker would. */
export async function embedAlone(baseUrl: string, text: string): Promise<void> {
  const response = await fetch(`${baseUrl}/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: EMBEDDING_MODEL, input: [text], dimensions: DIMENSIONS }),
  });
  const { data } = (await response.json()) as { data?: unknown[] };
  if (data?.length !== 1) throw new Error(`The embedder returned ${response.status}`);
}
