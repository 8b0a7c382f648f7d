import type { Redis } from 'ioredis';
import { PeriodicTask } from '../time/index.js';
import { LuaScript } from './lua-script.js';

export interface LeaseTimings {
  renewEveryMs: number;
  /** An owner that has not renewed for this long may lose the lease. */
  ttlMs: number;
}

export interface LeaseKeys {
  lease: string;
  /** Keeps the last owner beyond the lease, so that an owner whose lease expired learns of a later one. */
  lastOwner?: string;
}

/** Longer than an owner may be away and come back. */
const LAST_OWNER_KEPT_MS = 7 * 24 * 3600 * 1000;

const takeScript = new LuaScript<0 | 1>(new URL('take-lease.lua', import.meta.url));
const releaseScript = new LuaScript<0 | 1>(new URL('release-lease.lua', import.meta.url));

/** Another owner has taken the lease. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * A key in Redis with an owner and an expiry, which its owner renews until it releases it. A lease that expired, or was
 * lost with Redis, is renewed all the same as long as no other owner has taken it.
 */
export class Lease {
  readonly #lost = new AbortController();
  readonly #renewal: PeriodicTask;

  private constructor(
    private readonly redis: Redis,
    private readonly keys: LeaseKeys,
    private readonly owner: string,
    private readonly timings: LeaseTimings,
  ) {
    // A loss fires `lost`; after any other failure the next renewal tries again.
    this.#renewal = new PeriodicTask(timings.renewEveryMs, () => this.renew());
  }

  /** Undefined while another owner holds the lease. */
  static async acquire(
    redis: Redis,
    keys: LeaseKeys,
    owner: string,
    timings: LeaseTimings,
  ): Promise<Lease | undefined> {
    const lease = new Lease(redis, keys, owner, timings);
    if (!(await lease.#take('acquire'))) return undefined;
    lease.#renewal.start(timings.renewEveryMs);
    return lease;
  }

  /** Fires with `LeaseLost` when another owner has taken the lease. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Rejects with `LeaseLost` when another owner has taken the lease. */
  async renew(): Promise<void> {
    if (await this.#take('renew')) return;
    const error = new LeaseLost('Another owner has taken the lease');
    this.#lost.abort(error);
    void this.#renewal.stop();
    throw error;
  }

  /** Never rejects: while Redis is away the lease expires. */
  async release(): Promise<void> {
    void this.#renewal.stop();
    if (this.redis.status !== 'ready') return;
    await releaseScript.run(this.redis, [this.keys.lease], [this.owner]).catch(() => {});
  }

  async #take(how: 'acquire' | 'renew'): Promise<boolean> {
    const { lease, lastOwner } = this.keys;
    const keys = lastOwner === undefined ? [lease] : [lease, lastOwner];
    const args = [this.owner, this.timings.ttlMs, LAST_OWNER_KEPT_MS, how];
    return (await takeScript.run(this.redis, keys, args)) === 1;
  }
}
