/** Why a model gave no answer. A wrong key or an unknown model is `misconfigured`: only a person can mend it. */
export type FailureKind = 'unavailable' | 'rate_limited' | 'misconfigured';

/** Whose call it is: what one run or one tenant meets may be its own doing. */
export interface Caller {
  run: string;
  tenant: string;
}

export interface Admitted {
  admitted: true;
  /** This call alone finds out for everybody whether the model is back. */
  probe: boolean;
  /** Says in the report which call it is about; empty when the breaker could not be asked. */
  ticket: string;
  caller: Caller;
}

export interface Refused {
  admitted: false;
  reason: FailureKind;
  /** Behind a probe this is the longest wait: its verdict may come earlier. */
  retryAfterMs: number;
}

export type CallDecision = Admitted | Refused;

export interface CallFailure {
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
 * Keeps all processes from asking a model that does not work. Closed, it admits every call. Failures in a row open it for
 * a time, then it is half open: one call in all processes goes as a probe, and its verdict closes the breaker or
 * opens it for longer. A half-open breaker that no call probes for a while is closed. A rate limit only lasts its time
 * and needs no probe.
 *
 * One tenant cannot take a model from the others: failures of its calls alone open the breaker to that tenant alone,
 * and another tenant's success closes it. The failures of several tenants open it to all.
 *
 * Each admitted call ends with one report. Only `states` rejects: where the breaker's own store is away, calls are
 * admitted and reports are lost.
 */
export interface CircuitBreaker {
  admit(modelId: string, caller: Caller): Promise<CallDecision>;
  /**
   * Closes the breaker where the call was the probe, or where another tenant's calls alone have failed. Otherwise the count
   * of failures starts anew, but an open breaker stays open: the call was admitted before the failures.
   */
  succeeded(modelId: string, call: Admitted): Promise<void>;
  /**
   * `unavailable` and `misconfigured` are counted, with their runs and tenants (`breaker-limits.ts`). Both are ignored
   * while the breaker is open to the call's tenant, unless they are the probe's verdict, and for a call from before the breaker last
   * closed. A rate limit always holds, to the latest time that was named; a probe that meets one is given back.
   */
  failed(modelId: string, call: Admitted, failure: CallFailure): Promise<void>;
  /**
   * The call ended without a verdict: it was cancelled, or the provider refused this one request. If it was the probe, the
   * next call may go.
   */
  abandoned(modelId: string, call: Admitted): Promise<void>;
  states(modelIds: readonly string[]): Promise<Map<string, BreakerState>>;
}
