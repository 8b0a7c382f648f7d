/** A request for vectors in either protocol, in the words both share. */
export interface EmbeddingsRequest {
  protocol: 'openai' | 'cohere';
  model: string;
  texts: string[];
  dimension: number | undefined;
  /** OpenAI's `encoding_format`, or Cohere's `embedding_types`. */
  encodings: string[];
  /** Cohere only. */
  inputType: string | undefined;
  /** The body as it came. */
  wireBody: Record<string, unknown>;
}
