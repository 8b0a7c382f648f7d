import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { LuaScript } from '../redis/lua-script.js';
import { redisKeys } from '../redis/redis-keys.js';
import { within } from '../time/index.js';
import { defaultBreakerLimits, type BreakerLimits, type Evidence } from './breaker-limits.js';
import type {
  CallDecision,
  Admitted,
  BreakerState,
  Caller,
  CircuitBreaker,
  FailureKind,
  CallFailure,
} from './circuit-breaker.js';

type AdmitReply =
  | [admitted: 1, probe: 0 | 1, ticket: string]
  | [refused: 0, FailureKind, retryAfterMs: number];
type StateReply = [BreakerState['state'], reason?: FailureKind, since?: number, retryAt?: number];

function breakerScript<Reply>(file: string): LuaScript<Reply> {
  return new LuaScript<Reply>(new URL(`breaker/${file}`, import.meta.url));
}

const admitScript = breakerScript<AdmitReply>('admit.lua');
const succeededScript = breakerScript<null>('succeeded.lua');
const failedScript = breakerScript<null>('failed.lua');
const abandonedScript = breakerScript<null>('abandoned.lua');
const stateScript = breakerScript<StateReply>('state.lua');

/** One breaker per model for all processes on this Redis. */
export class RedisCircuitBreaker implements CircuitBreaker {
  readonly #limits: BreakerLimits;

  constructor(
    private readonly redis: Redis,
    limits: Partial<BreakerLimits> = {},
  ) {
    this.#limits = { ...defaultBreakerLimits, ...limits };
  }

  async admit(modelId: string, caller: Caller): Promise<CallDecision> {
    const asked = this.#run(admitScript, modelId, randomUUID(), this.#limits.probeMs, caller.tenant).then(
      (reply) => toDecision(reply, caller),
    );
    const decision = await within(this.#limits.replyWithinMs, asked).catch(() => undefined);
    if (decision) return decision;
    // A late reply may admit the call as the probe, which would then hold up every other call.
    asked.then((late) => (late.admitted ? this.abandoned(modelId, late) : undefined)).catch(() => {});
    return { admitted: true, probe: false, ticket: '', caller };
  }

  async succeeded(modelId: string, { ticket, caller }: Admitted): Promise<void> {
    await this.#report(succeededScript, modelId, ticket, caller.tenant);
  }

  async failed(modelId: string, { ticket, caller }: Admitted, failure: CallFailure): Promise<void> {
    const { calls, runs, others, withinMs } = this.#evidence(failure.kind);
    await this.#report(
      failedScript,
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
    if (probe) await this.#report(abandonedScript, modelId, ticket);
  }

  async states(modelIds: readonly string[]): Promise<Map<string, BreakerState>> {
    const states = modelIds.map(async (id) => [id, toState(await this.#run(stateScript, id))] as const);
    return new Map(await Promise.all(states));
  }

  #shutFor({ kind, retryAfterMs = this.#limits.rateLimitedMs }: CallFailure): number {
    if (kind === 'unavailable') return this.#limits.unavailableMs;
    if (kind === 'misconfigured') return this.#limits.misconfiguredMs;
    return Math.ceil(Math.min(retryAfterMs, this.#limits.longestRateLimitMs));
  }

  #evidence(kind: FailureKind): Evidence {
    return kind === 'misconfigured' ? this.#limits.misconfigured : this.#limits.unavailable;
  }

  async #report(script: LuaScript<null>, modelId: string, ...args: (string | number)[]): Promise<void> {
    await within(this.#limits.replyWithinMs, this.#run(script, modelId, ...args)).catch(() => {});
  }

  async #run<Reply>(script: LuaScript<Reply>, modelId: string, ...args: (string | number)[]): Promise<Reply> {
    // A worker's connection would keep the command until Redis is back.
    if (this.redis.status !== 'ready') throw new Error('Redis is not reachable');
    const { memoryMs, misconfiguredMemoryMs, quietMs } = this.#limits;
    const memory = [memoryMs, misconfiguredMemoryMs, quietMs];
    return script.run(this.redis, [redisKeys.modelBreaker(modelId)], [...memory, ...args]);
  }
}

function toDecision([admitted, second, third]: AdmitReply, caller: Caller): CallDecision {
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
