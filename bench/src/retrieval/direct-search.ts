import { searchesFor } from '@quire/retrieval-worker/qdrant-search';
import { DIMENSIONS, EMBEDDING_KEY, EMBEDDING_MODEL } from '../processes/retrieval-worker.js';

export interface DirectSearchOptions {
  embeddingBaseUrl: string;
  qdrantUrl: string;
  collection: string;
  /** Candidates of each kind, as many as the worker asks for. */
  limit: number;
}

/**
 * The two calls that every question needs, without queue, cache, checks and ranking. Their bodies are the worker's own,
 * so that embedder and index do the same work for both.
 */
export function createDirectSearch({ embeddingBaseUrl, qdrantUrl, collection, limit }: DirectSearchOptions) {
  const embeddings = `${embeddingBaseUrl}/embeddings`;
  const queries = new URL(`/collections/${collection}/points/query/batch`, qdrantUrl).href;
  return async (text: string): Promise<void> => {
    const body = { model: EMBEDDING_MODEL, input: [text], dimensions: DIMENSIONS, encoding_format: 'float' };
    const { data } = await post<{ data: { embedding: number[] }[] }>(embeddings, body);
    const vector = data[0]?.embedding ?? [];
    const { result } = await post<{ result: { points: unknown[] }[] }>(queries, {
      searches: searchesFor({ text, vector, limit, filters: undefined }),
    });
    if (result.every(({ points }) => points.length === 0)) throw new Error('The index found nothing');
  };
}

/** Without compression, which takes 40 ms in Qdrant's response. Node's fetch keeps connections open. */
async function post<T>(url: string, body: object): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      authorization: `Bearer ${EMBEDDING_KEY}`,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}
