import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { redisKeys } from '../redis/redis-keys.js';

export interface LeaseTimings {
  renewEveryMs: number;
  /** A holder that shows no sign of life for this long loses the lease to whoever comes next. */
  ttlMs: number;
}

const defaultTimings: LeaseTimings = { renewEveryMs: 5000, ttlMs: 20_000 };
/** Longer than any ingestion is away and comes back. */
const MEMORY_MS = 7 * 24 * 3600 * 1000;

/**
 * KEYS: the lease, the last ingestion; ARGV: ingestion, ttl, memory, which key must be free or ours. To acquire, that
 * is the lease. To renew, it is the last ingestion: a lease that ran out while nobody else came goes on.
 */
const takeLua = `
local holder = redis.call('GET', KEYS[tonumber(ARGV[4])])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
return 1`;

const releaseLua = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/** Another ingestion has taken the index over. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * One ingestion's hold on an index. Two at once would remove each other's pages, and one that replaces the index moves
 * the chunks of all its books.
 */
export class IndexLease {
  readonly #ended = new AbortController();
  readonly #lost = new AbortController();

  private constructor(
    private readonly redis: Redis,
    private readonly index: string,
    private readonly ingestionId: string,
    private readonly timings: LeaseTimings,
  ) {}

  /** Undefined while another ingestion holds it. */
  static async acquire(
    redis: Redis,
    index: string,
    ingestionId: string,
    timings = defaultTimings,
  ): Promise<IndexLease | undefined> {
    const lease = new IndexLease(redis, index, ingestionId, timings);
    if (!(await lease.#take('lease'))) return undefined;
    void lease.#keepRenewed();
    return lease;
  }

  /**
   * The ingestion that acquired the index last, whether it still runs or not: tasks of any other are out of date.
   * Undefined when Redis knows of none.
   */
  static async holder(redis: Redis, index: string): Promise<string | undefined> {
    return (await redis.get(redisKeys.lastIngestion(index))) ?? undefined;
  }

  /** Fires with `LeaseLost` when another ingestion has the index. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Rejects with `LeaseLost` when another ingestion has the index. */
  async renew(): Promise<void> {
    if (await this.#take('last ingestion')) return;
    const error = new LeaseLost('Another ingestion has taken the index over');
    this.#lost.abort(error);
    throw error;
  }

  async release(): Promise<void> {
    this.#ended.abort();
    // Where Redis is away the lease runs out by itself.
    if (this.redis.status !== 'ready') return;
    await this.redis.eval(releaseLua, 1, redisKeys.indexLease(this.index), this.ingestionId).catch(() => {});
  }

  async #keepRenewed(): Promise<void> {
    const ended = AbortSignal.any([this.#ended.signal, this.#lost.signal]);
    while (!ended.aborted) {
      await sleep(this.timings.renewEveryMs, undefined, { signal: ended, ref: false }).catch(() => {});
      // A loss is told by the signal; anything else passes until the next time.
      if (!ended.aborted) await this.renew().catch(() => {});
    }
  }

  async #take(free: 'lease' | 'last ingestion'): Promise<boolean> {
    const keys = [redisKeys.indexLease(this.index), redisKeys.lastIngestion(this.index)];
    const guard = free === 'lease' ? 1 : 2;
    const times = [this.timings.ttlMs, MEMORY_MS];
    return (await this.redis.eval(takeLua, 2, ...keys, this.ingestionId, ...times, guard)) === 1;
  }
}
