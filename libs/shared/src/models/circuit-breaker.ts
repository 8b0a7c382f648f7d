/** Why a call failed. A wrong key or an unknown model is `misconfigured`: only a change of configuration helps. */
export type FailureKind = 'unavailable' | 'rate_limited' | 'misconfigured';

/** The run and the tenant of a call: one of them alone may be the cause of its failures. */
export interface Caller {
  run: string;
  tenant: string;
}

export interface Admitted {
  admitted: true;
  /** This call alone decides for all processes whether the model works again. */
  probe: boolean;
  /** Identifies the call in its report; empty if the breaker's store is down. */
  ticket: string;
  caller: Caller;
}

export interface Refused {
  admitted: false;
  reason: FailureKind;
  /** During a probe this is the longest wait: its verdict may come earlier. */
  retryAfterMs: number;
}

export type CallDecision = Admitted | Refused;

export interface CallFailure {
  kind: FailureKind;
  /** From the provider's rate limit. */
  retryAfterMs?: number | undefined;
}

export interface BreakerState {
  state: 'closed' | 'open' | 'half_open';
  reason?: FailureKind;
  /** When it first opened; a failed probe does not change it. */
  since?: string;
  /** When the next call may be admitted. */
  retry_at?: string;
}

/**
 * Keeps all processes from calling a model that does not work. Closed, it admits every call. Failures in a row open it
 * for a time, then it is half open: one call in all processes is admitted as the probe, and its verdict closes the
 * breaker or opens it for longer. A half-open breaker that no call probes for a while is closed. A rate limit only lasts
 * its time and needs no probe.
 *
 * One tenant cannot make a model unavailable to others: failures of its calls alone open the breaker for that tenant
 * alone, and another tenant's success closes it. The failures of several tenants open it for all.
 *
 * Each admitted call ends with one report. Only `states` rejects: while the breaker's own store is down, calls are
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
   * while the breaker is open for the call's tenant, unless they are the probe's verdict, and for a call that began
   * before the breaker last closed. A rate limit always holds, until the latest time that a provider named; a probe that
   * gets one has no verdict.
   */
  failed(modelId: string, call: Admitted, failure: CallFailure): Promise<void>;
  /**
   * The call ended without a verdict: it was cancelled, or the provider refused this one request. If it was the probe,
   * the next call is admitted as the probe.
   */
  abandoned(modelId: string, call: Admitted): Promise<void>;
  states(modelIds: readonly string[]): Promise<Map<string, BreakerState>>;
}
