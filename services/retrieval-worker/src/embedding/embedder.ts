export type EmbeddingPurpose = 'query' | 'document';

export interface CallLimits {
  /** Texts in one call to the provider. */
  readonly texts: number;
  /** Calls of each purpose under way at once. */
  readonly atOnce: Readonly<Record<EmbeddingPurpose, number>>;
}

/** Turns texts into vectors whose cosine measures how similar the texts are. */
export interface Embedder {
  /** Provider and model, such as `cohere:embed-english-v3.0`; vectors of different ids are never compared. */
  readonly id: string;
  readonly dimensions: number;
  /** Enforced by the embedder for all callers together. */
  readonly callLimits: CallLimits;
  /**
   * One vector per text, in the order of the texts; a blank text gets a vector of zeros, which is similar to none. Texts
   * of several callers share calls, queries never wait for documents, and retryable failures are retried. Rejects with
   * the signal's reason when aborted, with `DependencyUnavailable` if a later retry may help, and with
   * `ProviderMisconfigured` if it cannot.
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<number[][]>;
  /** Rejects calls under way with `DependencyUnavailable`, so that their jobs are retried elsewhere. */
  close(): Promise<void>;
}
