/** When a crashed service is restarted, and when the supervisor gives up. */
export interface RestartPolicy {
  firstDelayMs: number;
  longestDelayMs: number;
  /** A crash this soon after the start is a quick one. */
  quickCrashMs: number;
  /** The supervisor gives up after this many quick crashes in a row. */
  quickCrashes: number;
  /** A service that has run this long is healthy: the delays start again. */
  healthyAfterMs: number;
}

export const DEFAULT_RESTART_POLICY: RestartPolicy = {
  firstDelayMs: 250,
  longestDelayMs: 5_000,
  quickCrashMs: 10_000,
  quickCrashes: 3,
  healthyAfterMs: 60_000,
};

export class CrashHistory {
  readonly #policy: RestartPolicy;
  #crashes = 0;
  #quick = 0;

  constructor(policy: RestartPolicy) {
    this.#policy = policy;
  }

  /** The delay before the next start, or `give-up`. */
  afterCrash(uptimeMs: number): number | 'give-up' {
    const { firstDelayMs, longestDelayMs, quickCrashMs, quickCrashes, healthyAfterMs } = this.#policy;
    this.#quick = uptimeMs < quickCrashMs ? this.#quick + 1 : 0;
    this.#crashes = uptimeMs < healthyAfterMs ? this.#crashes + 1 : 1;
    if (this.#quick >= quickCrashes) return 'give-up';
    return Math.min(firstDelayMs * 2 ** (this.#crashes - 1), longestDelayMs);
  }
}
