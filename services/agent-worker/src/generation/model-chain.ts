import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@quire/shared/logging';
import type { Admitted, Caller, CircuitBreaker } from '@quire/shared/models';
import { withLinkedSignal } from '@quire/shared/process';
import type { ChatModel } from './chat-model.js';
import { ModelFailure, type ModelFailureKind } from './model-failure.js';

export interface ChainLimits {
  /** Before the same model is asked again, so that many runs do not come back at once. */
  retryDelayMs: number;
  /** A rate limit that is over within this time is waited for; behind a longer one the next model comes first. */
  patienceMs: number;
}

export const defaultChainLimits: ChainLimits = { retryDelayMs: 200, patienceMs: 2000 };

export interface ChainWork<T> {
  /** Asks one model; throws `ModelFailure` when that gave nothing usable. */
  ask: (model: ChatModel, signal: AbortSignal) => Promise<T>;
  /** Whether the reader has seen something of the attempt that failed: then the same model is not asked again. */
  hasShown: () => boolean;
  /** Called before another model, or the same one again, is asked; what was shown is void. */
  startOver: () => Promise<void>;
  /** Epoch milliseconds by which an answer is of use. */
  until: number;
  signal: AbortSignal;
  log: Logger;
  /** For whom a model is asked: the breaker tells what hits one of them from what hits all. */
  caller: Caller;
}

/** `overdue`: the time was over before any model had answered; `refused`: no model could be asked at all. */
export type ChainFailure = ModelFailureKind | 'overdue' | 'refused';
export type ChainResult<T> = { ok: true; value: T; model: string } | { ok: false; reason: ChainFailure };

interface Candidate {
  model: ChatModel;
  triesLeft: number;
  /** Epoch milliseconds; later than now for a model that has limited our rate. */
  notBefore: number;
}

const TRIES = 2;
const SHORTEST_WAIT_MS = 50;

/**
 * The models in order of preference. Each is asked once more when it failed before anything was shown; then the next
 * one is. What one worker learns of a model all workers know, by the breaker.
 */
export class ModelChain {
  constructor(
    readonly models: readonly ChatModel[],
    private readonly breaker: CircuitBreaker,
    private readonly onOutcome: (model: string, outcome: ModelFailureKind | 'answered' | 'refused') => void,
    private readonly limits: ChainLimits = defaultChainLimits,
  ) {}

  async run<T>(work: ChainWork<T>): Promise<ChainResult<T>> {
    const left = work.until - Date.now();
    if (left <= 0) return { ok: false, reason: 'overdue' };
    const overdue = AbortSignal.timeout(left);
    try {
      return await withLinkedSignal([work.signal, overdue], (signal) => this.inTurn({ ...work, signal }));
    } catch (error) {
      if (!overdue.aborted || work.signal.aborted) throw error;
      return { ok: false, reason: 'overdue' };
    }
  }

  private async inTurn<T>(work: ChainWork<T>): Promise<ChainResult<T>> {
    const candidates = this.models.map((model): Candidate => ({ model, triesLeft: TRIES, notBefore: 0 }));
    let reason: ChainFailure = 'refused';
    for (;;) {
      const candidate = this.next(candidates, work.until);
      if (!candidate) return { ok: false, reason };
      const wait = candidate.notBefore - Date.now();
      if (wait > 0) await sleep(wait, undefined, { signal: work.signal });
      const outcome = await this.tryOne(candidate, work);
      if (outcome.ok) return outcome;
      reason = outcome.reason;
      if (work.hasShown()) {
        candidate.triesLeft = 0;
        await work.startOver();
      }
    }
  }

  /** In order of preference, but one that has to be waited for long only when no other is left. */
  private next(candidates: readonly Candidate[], until: number): Candidate | undefined {
    const usable = candidates.filter(({ triesLeft, notBefore }) => triesLeft > 0 && notBefore < until);
    const soon = Date.now() + this.limits.patienceMs;
    const earliest = usable.toSorted((a, b) => a.notBefore - b.notBefore)[0];
    return usable.find(({ notBefore }) => notBefore <= soon) ?? earliest;
  }

  private async tryOne<T>(candidate: Candidate, work: ChainWork<T>): Promise<ChainResult<T>> {
    const { model } = candidate;
    const admission = await this.breaker.admit(model.id, work.caller);
    if (!admission.admitted) {
      this.onOutcome(model.name, 'refused');
      // A limit passes by itself and costs no try; the time that is left bounds the wait.
      if (admission.reason !== 'rate_limited') candidate.triesLeft = 0;
      candidate.notBefore = Date.now() + Math.max(admission.retryAfterMs, SHORTEST_WAIT_MS);
      return { ok: false, reason: admission.reason };
    }
    try {
      const value = await work.ask(model, work.signal);
      await this.breaker.succeeded(model.id, admission);
      this.onOutcome(model.name, 'answered');
      return { ok: true, value, model: model.name };
    } catch (error) {
      if (!(error instanceof ModelFailure)) {
        await this.breaker.abandoned(model.id, admission);
        throw error;
      }
      await this.judge(model, admission, error, work.log);
      this.reschedule(candidate, error);
      return { ok: false, reason: error.kind };
    }
  }

  private async judge(
    model: ChatModel,
    admission: Admitted,
    error: ModelFailure,
    log: Logger,
  ): Promise<void> {
    const { kind, retryAfterMs } = error;
    this.onOutcome(model.name, kind);
    const level = kind === 'misconfigured' ? 'error' : 'warn';
    log[level]({ stage: 'agent', model: model.name, kind, error }, 'The model did not answer');
    // A model that answers what we cannot use is there all the same.
    if (kind === 'filtered' || kind === 'misbehaved') await this.breaker.succeeded(model.id, admission);
    // A refused request is no failure, and no proof either: a proxy refuses it also while the model behind it is away.
    else if (kind === 'rejected') await this.breaker.abandoned(model.id, admission);
    else await this.breaker.failed(model.id, admission, { kind, retryAfterMs });
  }

  private reschedule(candidate: Candidate, { kind, retryAfterMs }: ModelFailure): void {
    const isWorthAnotherTry = kind === 'unavailable' || kind === 'rate_limited';
    candidate.triesLeft = isWorthAnotherTry ? candidate.triesLeft - 1 : 0;
    const jitter = 1 + Math.random();
    candidate.notBefore = Date.now() + (retryAfterMs ?? this.limits.retryDelayMs * jitter);
  }
}
