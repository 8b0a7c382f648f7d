/** Puts passages into the order in which they answer a question. */
export interface Reranker {
  /**
   * Positions in `texts`, best first. Rejects with `DependencyUnavailable` when the provider does not answer, at once
   * while it is away, and with `ProviderMisconfigured` when it refuses.
   */
  rank(question: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
}
