/** A request for vectors of either protocol. */
export interface EmbeddingsRequest {
  protocol: 'openai' | 'cohere';
  model: string;
  texts: string[];
  dimension: number | undefined;
  /** OpenAI's `encoding_format`, or Cohere's `embedding_types`. */
  encodings: string[];
  /** Cohere only. */
  inputType: string | undefined;
  /** The request's body. */
  wireBody: Record<string, unknown>;
}
