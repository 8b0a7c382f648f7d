export interface BreakerLimits {
  /** So many failures in a row, within this time, open the breaker. */
  failures: number;
  failureWindowMs: number;
  /** For how long it opens; each failed probe doubles the time, up to the longest. */
  unavailableMs: number;
  misconfiguredMs: number;
  longestOpenMs: number;
  /** For how long a rate limit holds when the provider did not say, and at most. */
  rateLimitedMs: number;
  longestRateLimitMs: number;
  /** A probe without a verdict after this time is thought dead, and another one may go. */
  probeMs: number;
  /** How long a breaker that nobody uses is remembered; longer than a call takes and than it stays open. */
  memoryMs: number;
  /** A wrong key does not mend itself: a quiet night must not hide it. */
  misconfiguredMemoryMs: number;
  /** A Redis that takes longer is not waited for. */
  answerWithinMs: number;
}

export const defaultBreakerLimits: BreakerLimits = {
  failures: 5,
  failureWindowMs: 60_000,
  unavailableMs: 10_000,
  misconfiguredMs: 30_000,
  longestOpenMs: 120_000,
  rateLimitedMs: 5000,
  longestRateLimitMs: 60_000,
  probeMs: 60_000,
  memoryMs: 15 * 60_000,
  misconfiguredMemoryMs: 24 * 3_600_000,
  answerWithinMs: 200,
};
