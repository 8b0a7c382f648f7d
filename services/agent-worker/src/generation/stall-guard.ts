import { linkSignals } from '@quire/shared/process';

export interface StallLimits {
  firstTokenMs: number;
  idleMs: number;
  /** The limit for the first token while the model streams its reasoning. */
  thinkingMs: number;
}

export interface StallGuard {
  /** Fires on the caller's abort, and when the provider is silent, or streams only reasoning, for too long. */
  readonly signal: AbortSignal;
  readonly stalled: boolean;
  /** The provider streamed reasoning until the limit. */
  readonly overthought: boolean;
  progress(): void;
  /** Reasoning arrived: no silence, but no answer either. */
  thinking(): void;
  /** The finish reason arrived: only the usage report is still to come. */
  finish(): void;
  release(): void;
}

/** Time limit for the usage report after the finish reason. */
const LONGEST_END_MS = 1000;
/** If a timer fires this late the process was frozen, and what the provider has sent is still unread. */
const HELD_UP_MS = 1000;

/** Aborts a provider call that sends no first token, stops in the middle, or never ends its reasoning. */
export function stallGuard(limits: StallLimits, callerSignal: AbortSignal): StallGuard {
  const over = new AbortController();
  const thoughtUntil = performance.now() + limits.thinkingMs;
  let hasBegun = false;
  let overthought = false;
  let timer: NodeJS.Timeout;
  const arm = (ms: number, isThinking = false): void => {
    clearTimeout(timer);
    const due = performance.now() + ms;
    timer = setTimeout(() => {
      if (performance.now() - due >= HELD_UP_MS) return arm(HELD_UP_MS, isThinking);
      overthought = isThinking;
      over.abort();
    }, ms);
  };
  arm(limits.firstTokenMs);
  const { signal, release } = linkSignals([callerSignal, over.signal]);
  return {
    signal,
    get stalled() {
      return over.signal.aborted;
    },
    get overthought() {
      return overthought;
    },
    progress() {
      hasBegun = true;
      arm(limits.idleMs);
    },
    thinking() {
      // Once text has arrived, reasoning does not prolong the call.
      if (hasBegun) return;
      const left = Math.max(0, thoughtUntil - performance.now());
      arm(Math.min(left, limits.idleMs), left < limits.idleMs);
    },
    finish() {
      arm(Math.min(limits.idleMs, LONGEST_END_MS));
    },
    release() {
      clearTimeout(timer);
      release();
    },
  };
}
