import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@quire/shared/logging';
import type { Admitted, Caller, CircuitBreaker } from '@quire/shared/models';
import { linkSignals } from '@quire/shared/process';
import { ModelFailure, type ChatModel, type ModelFailureKind } from './chat-model.js';

export interface ChainTask {
  /** Epoch milliseconds; a later result is of no use. */
  until: number;
  signal: AbortSignal;
  log: Logger;
  /** The run and the tenant of the calls, for the circuit breaker. */
  caller: Caller;
}

/** `overdue`: the time was over before a call succeeded; `refused`: the breaker admitted no call. */
export type ChainFailure = ModelFailureKind | 'overdue' | 'refused';

/** One call of one model. It is reported as succeeded or failed before the next one is taken. */
export interface ModelCall {
  model: ChatModel;
  /** Fires with the task's signal and when its time is over. */
  signal: AbortSignal;
  succeeded(): Promise<void>;
  /**
   * Rethrows an error that is no failure of the model, unless the time is over.
   * @param hasShown whether clients have seen text of the call: then the model is not called again
   */
  failed(error: unknown, hasShown: boolean): Promise<void>;
}

interface Candidate {
  model: ChatModel;
  triesLeft: number;
  /** Epoch milliseconds; later than now after a rate limit or a failure. */
  notBefore: number;
}

const TRIES = 2;
/** Pause before a retry of the same model, at least; jitter keeps many runs from retrying at once. */
const RETRY_DELAY_MS = 200;
/** A rate limit that ends within this time is waited for; otherwise the next model is called first. */
const PATIENCE_MS = 2000;
const SHORTEST_WAIT_MS = 50;

/** The models in order of preference; the circuit breaker shares what one worker learns of a model with all. */
export class ModelChain {
  constructor(
    readonly models: readonly ChatModel[],
    readonly breaker: CircuitBreaker,
    readonly onOutcome: (model: string, outcome: ModelFailureKind | 'answered' | 'refused') => void,
  ) {}

  calls(task: ChainTask): ModelCalls {
    return new ModelCalls(this, task);
  }
}

/**
 * The calls to try for one task, to be iterated until one succeeds. A model is called once more if it failed before
 * anything was shown; then the next one is.
 */
export class ModelCalls implements AsyncIterable<ModelCall> {
  /** Why there is no further call. */
  failure: ChainFailure = 'refused';
  private readonly candidates: readonly Candidate[];
  private readonly overdue: AbortSignal;

  constructor(
    private readonly chain: ModelChain,
    private readonly task: ChainTask,
  ) {
    this.candidates = chain.models.map((model) => ({ model, triesLeft: TRIES, notBefore: 0 }));
    const left = task.until - Date.now();
    this.overdue = left > 0 ? AbortSignal.timeout(left) : AbortSignal.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ModelCall, void, void> {
    const { signal, release } = linkSignals([this.task.signal, this.overdue]);
    try {
      for (let next = this.next(); next; next = this.next()) {
        signal.throwIfAborted();
        const wait = next.notBefore - Date.now();
        if (wait > 0) await sleep(wait, undefined, { signal });
        const call = await this.admit(next, signal);
        if (call) yield call;
      }
    } catch (error) {
      if (!this.isOverdue) throw error;
      this.failure = 'overdue';
    } finally {
      release();
    }
  }

  private get isOverdue(): boolean {
    return this.overdue.aborted && !this.task.signal.aborted;
  }

  /** The most preferred model that is usable soon; if none is, the one that is usable first. */
  private next(): Candidate | undefined {
    const usable = this.candidates.filter(
      ({ triesLeft, notBefore }) => triesLeft > 0 && notBefore < this.task.until,
    );
    const soon = Date.now() + PATIENCE_MS;
    const earliest = usable.toSorted((a, b) => a.notBefore - b.notBefore)[0];
    return usable.find(({ notBefore }) => notBefore <= soon) ?? earliest;
  }

  /** Undefined if the circuit breaker refuses the call. */
  private async admit(candidate: Candidate, signal: AbortSignal): Promise<ModelCall | undefined> {
    const { model } = candidate;
    const { breaker, onOutcome } = this.chain;
    const admission = await breaker.admit(model.id, this.task.caller);
    if (!admission.admitted) {
      onOutcome(model.name, 'refused');
      this.failure = admission.reason;
      // A rate limit passes by itself and uses up no try; the time that is left bounds the wait.
      if (admission.reason !== 'rate_limited') candidate.triesLeft = 0;
      candidate.notBefore = Date.now() + Math.max(admission.retryAfterMs, SHORTEST_WAIT_MS);
      return undefined;
    }
    return {
      model,
      signal,
      async succeeded() {
        await breaker.succeeded(model.id, admission);
        onOutcome(model.name, 'answered');
      },
      failed: async (error, hasShown) => {
        if (error instanceof ModelFailure) {
          this.reschedule(candidate, error, hasShown);
          return this.report(model, admission, error);
        }
        await breaker.abandoned(model.id, admission);
        if (!this.isOverdue) throw error;
      },
    };
  }

  private reschedule(candidate: Candidate, { kind, retryAfterMs }: ModelFailure, hasShown: boolean): void {
    this.failure = kind;
    const isWorthAnotherTry = !hasShown && (kind === 'unavailable' || kind === 'rate_limited');
    candidate.triesLeft = isWorthAnotherTry ? candidate.triesLeft - 1 : 0;
    const jitter = 1 + Math.random();
    candidate.notBefore = Date.now() + (retryAfterMs ?? RETRY_DELAY_MS * jitter);
  }

  private async report(model: ChatModel, admission: Admitted, error: ModelFailure): Promise<void> {
    const { breaker, onOutcome } = this.chain;
    const { kind, retryAfterMs } = error;
    onOutcome(model.name, kind);
    const level = kind === 'misconfigured' ? 'error' : 'warn';
    this.task.log[level]({ stage: 'agent', model: model.name, kind, error }, 'Model call failed');
    // The model works, though its output is of no use.
    if (kind === 'filtered' || kind === 'misbehaved') await breaker.succeeded(model.id, admission);
    // Neither a failure nor a success: a proxy refuses requests also while the model behind it is away.
    else if (kind === 'rejected') await breaker.abandoned(model.id, admission);
    else await breaker.failed(model.id, admission, { kind, retryAfterMs });
  }
}
