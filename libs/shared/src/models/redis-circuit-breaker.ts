import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { untilAborted } from '../process/until-aborted.js';
import { redisKeys } from '../redis/redis-keys.js';
import { defaultBreakerLimits, type BreakerLimits, type Evidence } from './breaker-limits.js';
import { abandonedLua, admitLua, failedLua, stateLua, succeededLua } from './breaker-scripts.js';
import type {
  Admission,
  Admitted,
  BreakerState,
  Caller,
  CircuitBreaker,
  FailureKind,
  ModelFailure,
} from './circuit-breaker.js';

type AdmitReply =
  | [admitted: 1, probe: 0 | 1, ticket: string]
  | [refused: 0, FailureKind, retryAfterMs: number];
type StateReply = [BreakerState['state'], reason?: FailureKind, since?: number, retryAt?: number];

/** One breaker per model for all processes on this Redis. */
export class RedisCircuitBreaker implements CircuitBreaker {
  readonly #limits: BreakerLimits;

  constructor(
    private readonly redis: Redis,
    limits: Partial<BreakerLimits> = {},
  ) {
    this.#limits = { ...defaultBreakerLimits, ...limits };
  }

  async admit(modelId: string, caller: Caller): Promise<Admission> {
    const asked = this.#run(admitLua, modelId, randomUUID(), this.#limits.probeMs, caller.tenant).then(
      (reply) => toAdmission(reply, caller),
    );
    return this.#soon(asked).catch(() => {
      // The reply may still come and be the probe, which would then hold up every other call.
      asked.then((late) => (late.admitted ? this.abandoned(modelId, late) : undefined)).catch(() => {});
      return { admitted: true, probe: false, ticket: '', caller };
    });
  }

  async succeeded(modelId: string, { ticket, caller }: Admitted): Promise<void> {
    await this.#report(succeededLua, modelId, ticket, caller.tenant);
  }

  async failed(modelId: string, { ticket, caller }: Admitted, failure: ModelFailure): Promise<void> {
    const { calls, runs, others, withinMs } = this.#evidence(failure.kind);
    await this.#report(
      failedLua,
      modelId,
      ticket,
      failure.kind,
      caller.run,
      caller.tenant,
      this.#shutFor(failure),
      this.#limits.longestOpenMs,
      calls,
      runs,
      others,
      withinMs,
    );
  }

  async abandoned(modelId: string, { probe, ticket }: Admitted): Promise<void> {
    if (probe) await this.#report(abandonedLua, modelId, ticket);
  }

  async states(modelIds: readonly string[]): Promise<Map<string, BreakerState>> {
    const states = modelIds.map(
      async (id) => [id, toState((await this.#run(stateLua, id)) as StateReply)] as const,
    );
    return new Map(await Promise.all(states));
  }

  #shutFor({ kind, retryAfterMs = this.#limits.rateLimitedMs }: ModelFailure): number {
    if (kind === 'unavailable') return this.#limits.unavailableMs;
    if (kind === 'misconfigured') return this.#limits.misconfiguredMs;
    return Math.ceil(Math.min(retryAfterMs, this.#limits.longestRateLimitMs));
  }

  #evidence(kind: FailureKind): Evidence {
    return kind === 'misconfigured' ? this.#limits.misconfigured : this.#limits.unavailable;
  }

  async #report(script: string, modelId: string, ...args: (string | number)[]): Promise<void> {
    await this.#soon(this.#run(script, modelId, ...args)).catch(() => {});
  }

  async #run(script: string, modelId: string, ...args: (string | number)[]): Promise<unknown> {
    // A worker's connection would keep the command until Redis is back.
    if (this.redis.status !== 'ready') throw new Error('Redis is not reachable');
    const { memoryMs, misconfiguredMemoryMs, quietMs } = this.#limits;
    return this.redis.eval(
      script,
      1,
      redisKeys.modelBreaker(modelId),
      memoryMs,
      misconfiguredMemoryMs,
      quietMs,
      ...args,
    );
  }

  #soon<T>(work: Promise<T>): Promise<T> {
    return untilAborted(AbortSignal.timeout(this.#limits.answerWithinMs), work);
  }
}

function toAdmission(reply: unknown, caller: Caller): Admission {
  const [admitted, second, third] = reply as AdmitReply;
  return admitted === 1
    ? { admitted: true, probe: second === 1, ticket: third, caller }
    : { admitted: false, reason: second, retryAfterMs: third };
}

function toState([state, reason, since, retryAt]: StateReply): BreakerState {
  return {
    state,
    ...(reason && { reason }),
    ...(since && { since: new Date(since).toISOString() }),
    ...(retryAt && { retry_at: new Date(retryAt).toISOString() }),
  };
}
