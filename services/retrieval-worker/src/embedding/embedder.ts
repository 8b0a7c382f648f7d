export type EmbeddingPurpose = 'query' | 'document';

export interface CallLimits {
  /** How many texts one call to the provider takes. */
  readonly texts: number;
  /** How many calls of each purpose may be under way at once. */
  readonly atOnce: Readonly<Record<EmbeddingPurpose, number>>;
}

/** Turns text into vectors whose cosine says how alike the texts are. */
export interface Embedder {
  /** Names provider and model, such as `cohere:embed-english-v3.0`; vectors of different ids never mix. */
  readonly id: string;
  readonly dimensions: number;
  /** Kept by the embedder itself, over all its callers; whoever works in parallel should fill them. */
  readonly callLimits: CallLimits;
  /**
   * One vector per text, in the order of the texts; a blank text gets a vector of zeros, which is like nothing.
   * Texts of several callers share calls, queries never wait for documents, and a failure that may pass is tried
   * again. Rejects with the signal's reason when aborted, with `DependencyUnavailable` when trying again later may
   * help, and with `ProviderMisconfigured` when it cannot.
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<number[][]>;
  /** Work under way is rejected as worth another try, elsewhere. */
  close(): Promise<void>;
}
