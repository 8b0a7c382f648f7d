/** What has to fail in a row, without a success in between, before a breaker opens. */
export interface Evidence {
  calls: number;
  /** Of at least so many runs: what fails again and again in one run may be that run's request. */
  runs: number;
  /** So many of the calls belong to other tenants than the one with the most: then it opens for all tenants. */
  others: number;
  withinMs: number;
}

export interface BreakerLimits {
  unavailable: Evidence;
  misconfigured: Evidence;
  /** For how long it opens; each failed probe doubles the time, up to the longest. */
  unavailableMs: number;
  misconfiguredMs: number;
  longestOpenMs: number;
  /** For how long a rate limit holds when the provider did not say, and at most. */
  rateLimitedMs: number;
  longestRateLimitMs: number;
  /** A probe without a verdict after this time is thought dead, and another one may go. */
  probeMs: number;
  /** How long failures and a closing are remembered; longer than a call takes. */
  memoryMs: number;
  /** A half-open breaker that no call probes for this time is closed: what it knows is out of date. */
  quietMs: number;
  /** A wrong key does not mend itself: a quiet night must not hide it. */
  misconfiguredMemoryMs: number;
  /** A Redis that takes longer is not waited for; a busy machine alone should not make it so. */
  answerWithinMs: number;
}

export const defaultBreakerLimits: BreakerLimits = {
  // A run asks a model twice at most: two calls of other tenants are more than one accident.
  unavailable: { calls: 5, runs: 3, others: 2, withinMs: 60_000 },
  // Such a call is not repeated within its run. The window is long, so that an installation with few questions sees it.
  misconfigured: { calls: 2, runs: 2, others: 1, withinMs: 3_600_000 },
  unavailableMs: 10_000,
  misconfiguredMs: 30_000,
  longestOpenMs: 120_000,
  rateLimitedMs: 5000,
  longestRateLimitMs: 60_000,
  probeMs: 60_000,
  memoryMs: 15 * 60_000,
  quietMs: 2 * 60_000,
  misconfiguredMemoryMs: 24 * 3_600_000,
  answerWithinMs: 1000,
};
