import { linkSignals } from '@quire/shared/process';

export interface StallLimits {
  firstTokenMs: number;
  idleMs: number;
  /** How long a model that is heard thinking has for its first token. */
  thinkingMs: number;
}

export interface StallGuard {
  /** Fires on the caller's own abort, and when the provider has been silent, or has only thought, for too long. */
  readonly signal: AbortSignal;
  readonly stalled: boolean;
  /** The provider was heard thinking until its time was over. */
  readonly overthought: boolean;
  progress(): void;
  /** The model thinks: no silence, but no answer either. */
  thinking(): void;
  /** The answer is whole: only what comes with its end is waited for now. */
  finish(): void;
  release(): void;
}

const LONGEST_FAREWELL_MS = 1000;
/** A timer that is so late was held up with the whole process, and what the provider has sent meanwhile is still unread. */
const HELD_UP_MS = 1000;

/** Ends a provider call that sends no first token, stops sending in the middle, or never comes to its answer. */
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
      // Thoughts in the middle of an answer would have no bound.
      if (hasBegun) return;
      const left = Math.max(0, thoughtUntil - performance.now());
      arm(Math.min(left, limits.idleMs), left < limits.idleMs);
    },
    finish() {
      arm(Math.min(limits.idleMs, LONGEST_FAREWELL_MS));
    },
    release() {
      clearTimeout(timer);
      release();
    },
  };
}
