import { DIMENSIONS, EMBEDDING_MODEL } from '../processes/retrieval-worker.js';

/** One text, one call: what every asker would do without a worker between. */
export async function embedAlone(baseUrl: string, text: string): Promise<void> {
  const response = await fetch(`${baseUrl}/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: EMBEDDING_MODEL, input: [text], dimensions: DIMENSIONS }),
  });
  const { data } = (await response.json()) as { data?: unknown[] };
  if (data?.length !== 1) throw new Error(`The embedder answered ${response.status}`);
}
