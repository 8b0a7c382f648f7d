export const defaultRunLogLimits = {
  /** Far above what a run writes within its deadline at one delta per coalescing window. */
  maxLength: 10_000,
  /** How long an unfinished run's log is kept after its last status. */
  liveTtlSeconds: 24 * 3600,
  /** How long a finished run can be followed from the log; later the outcome comes from Postgres. */
  endedTtlSeconds: 3600,
  /** How many logs of finished runs are kept at most, whatever their age. */
  maxEnded: 5000,
};
export type RunLogLimits = typeof defaultRunLogLimits;
