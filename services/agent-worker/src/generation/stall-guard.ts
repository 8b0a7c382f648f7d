import { linkSignals } from '@quire/shared/process';

export interface StallLimits {
  firstTokenMs: number;
  idleMs: number;
}

export interface StallGuard {
  /** Fires on the caller's own abort, and when the provider has been silent for too long. */
  readonly signal: AbortSignal;
  readonly stalled: boolean;
  progress(): void;
  /** The answer is whole: only what comes with its end is waited for now. */
  finish(): void;
  release(): void;
}

const LONGEST_FAREWELL_MS = 1000;
/** A timer that is so late was held up with the whole process, and what the provider has sent meanwhile is still unread. */
const HELD_UP_MS = 1000;

/** Ends a provider call that sends no first token, or stops sending in the middle. */
export function stallGuard(limits: StallLimits, callerSignal: AbortSignal): StallGuard {
  const silence = new AbortController();
  const arm = (ms: number): NodeJS.Timeout => {
    const due = performance.now() + ms;
    return setTimeout(() => {
      if (performance.now() - due < HELD_UP_MS) silence.abort();
      else timer = arm(HELD_UP_MS);
    }, ms);
  };
  let timer = arm(limits.firstTokenMs);
  const { signal, release } = linkSignals([callerSignal, silence.signal]);
  return {
    signal,
    get stalled() {
      return silence.signal.aborted;
    },
    progress() {
      clearTimeout(timer);
      timer = arm(limits.idleMs);
    },
    finish() {
      clearTimeout(timer);
      timer = arm(Math.min(limits.idleMs, LONGEST_FAREWELL_MS));
    },
    release() {
      clearTimeout(timer);
      release();
    },
  };
}
