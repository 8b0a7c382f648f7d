/** The failures in a row, without a success in between, that open a breaker. */
export interface Evidence {
  calls: number;
  /** The runs of these calls, at least: one run's request may be the cause of all its failures. */
  runs: number;
  /** It opens for all tenants if at least so many of the calls are not of the tenant that has the most. */
  others: number;
  withinMs: number;
}

export const defaultBreakerLimits = {
  // A run calls a model twice at most, so two calls of other tenants may be one run.
  unavailable: { calls: 5, runs: 3, others: 2, withinMs: 60_000 },
  // A run makes one such call. The window is long enough for an installation with few questions.
  misconfigured: { calls: 2, runs: 2, others: 1, withinMs: 3_600_000 },
  /** For how long it opens; each failed probe doubles the time, up to `longestOpenMs`. */
  unavailableMs: 10_000,
  misconfiguredMs: 30_000,
  longestOpenMs: 120_000,
  /** For how long a rate limit holds if the provider did not say, and at most. */
  rateLimitedMs: 5000,
  longestRateLimitMs: 60_000,
  /** A probe without a verdict after this time is given up, and another call is admitted as the probe. */
  probeMs: 60_000,
  /** How long failures and a closing are remembered: longer than a call takes. */
  memoryMs: 15 * 60_000,
  /** A half-open breaker that no call probes for this time is closed: its failures are out of date. */
  quietMs: 2 * 60_000,
  /** A wrong key stays wrong: `/health` shows it also after a night without calls. */
  misconfiguredMemoryMs: 24 * 3_600_000,
  /** Without a reply after this time the call is admitted; long enough for a Redis on a busy machine. */
  replyWithinMs: 1000,
};
export type BreakerLimits = typeof defaultBreakerLimits;
