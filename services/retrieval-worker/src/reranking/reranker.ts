/** Orders passages by how well they answer a question. */
export interface Reranker {
  /**
   * Positions in `texts`, best first. Rejects with `DependencyUnavailable` when the provider cannot be reached (at once
   * while its breaker is open), and with `ProviderMisconfigured` when it refuses.
   */
  rank(question: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
}
