export interface RunLogLimits {
  /** Far above what a run writes within its deadline at one delta per coalescing window. */
  maxLength: number;
  /** How long an unfinished run's log is kept after its last status. */
  liveTtlSeconds: number;
  /** How long a finished run can be followed from the log; later the outcome comes from Postgres. */
  endedTtlSeconds: number;
  /** How many logs of finished runs are kept at most, whatever their age. */
  maxEnded: number;
}

export const defaultRunLogLimits: RunLogLimits = {
  maxLength: 10_000,
  liveTtlSeconds: 24 * 3600,
  endedTtlSeconds: 3600,
  maxEnded: 5000,
};
