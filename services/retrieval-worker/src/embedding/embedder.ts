export type EmbeddingPurpose = 'query' | 'document';

/** Turns text into vectors whose cosine says how alike the texts are. */
export interface Embedder {
  /** Names provider and model, such as `cohere:embed-english-v3.0`; vectors of different ids never mix. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * One vector per text, in the order of the texts; a blank text gets a vector of zeros, which is like nothing.
   * Rejects with the signal's reason when aborted, with `DependencyUnavailable` when trying again may help, and
   * with `EmbedderMisconfigured` when it cannot.
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<number[][]>;
  close(): Promise<void>;
}
