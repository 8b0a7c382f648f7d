/** Why a model gave no answer. A wrong key or an unknown model is `misconfigured`: only a person can mend it. */
export type FailureKind = 'unavailable' | 'rate_limited' | 'misconfigured';

export interface Admitted {
  admitted: true;
  /** This call alone finds out for everybody whether the model is back. */
  probe: boolean;
  /** Says in the report which call it is about; empty when the breaker could not be asked. */
  ticket: string;
}

export interface Refused {
  admitted: false;
  reason: FailureKind;
  /** Behind a probe this is the longest wait: its verdict may come earlier. */
  retryAfterMs: number;
}

export type Admission = Admitted | Refused;

export interface ModelFailure {
  kind: FailureKind;
  /** What the provider asked for with a rate limit. */
  retryAfterMs?: number | undefined;
}

export interface BreakerState {
  state: 'closed' | 'open' | 'half_open';
  reason?: FailureKind;
  /** When the trouble began; a failed probe does not change it. */
  since?: string;
  /** When the next call may be admitted. */
  retry_at?: string;
}

/**
 * Keeps all processes together from asking a model that does not answer. Closed, it admits everybody. Failures open
 * it for a time, then it is half open: one call in all processes goes as a probe, and its verdict closes the breaker
 * or opens it for longer. A rate limit only lasts its time and needs no probe.
 *
 * Each admitted call ends with one report. Nothing here rejects but `states`: where the breaker's own store is away,
 * calls are admitted and reports are lost.
 */
export interface CircuitBreaker {
  admit(modelId: string): Promise<Admission>;
  /**
   * A probe's success closes the breaker. Any other starts the count of failures anew, but leaves an open breaker
   * open: its call was admitted before the failures.
   */
  succeeded(modelId: string, admission: Admitted): Promise<void>;
  /**
   * `unavailable` counts, `misconfigured` opens at once. Both are ignored while the breaker is open, unless they are the
   * probe's verdict, and for a call from before the breaker last closed. A rate limit always holds, to the
   * latest time that was named; a probe that meets one is given back.
   */
  failed(modelId: string, admission: Admitted, failure: ModelFailure): Promise<void>;
  /** The call ended without a verdict (it was cancelled): if it was the probe, the next one may go. */
  abandoned(modelId: string, admission: Admitted): Promise<void>;
  states(modelIds: readonly string[]): Promise<Map<string, BreakerState>>;
}
