import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { isTerminalType, type RunEvent, type RunOutcome } from '../contracts/run-event.contract.js';
import { forgetOldest } from '../redis/forget-oldest.js';
import { LuaScript } from '../redis/lua-script.js';
import { redisKeys } from '../redis/redis-keys.js';
import { buryLogs, type BuriedRun } from './bury-logs.js';
import { parseStored, type RunLogEntry } from './run-log-entry.js';
import { defaultRunLogLimits, type RunLogLimits } from './run-log-limits.js';
import { endOf, floorOf } from './sequence.js';

/** A later attempt has written to the log: the caller's attempt is superseded and stops. */
export class Fenced extends Error {}
/** The log holds its terminal event: nothing can be appended any more. */
export class RunEnded extends Error {}

const appendScript = new LuaScript<number>(new URL('append.lua', import.meta.url));

/** The dense, fenced event log of runs. */
export class RunLog {
  constructor(
    private readonly redis: Redis,
    private readonly limits: RunLogLimits = defaultRunLogLimits,
  ) {}

  /**
   * Appends and publishes events as `attempt`; returns the last sequence. With the last sequence the caller knows as
   * `base`, repeating the call is safe; the Redis client's own repetition after a lost reply always is.
   */
  append(runId: string, attempt: number, events: readonly RunEvent[], base?: number): Promise<number> {
    return this.appendAbove(floorOf(attempt), runId, attempt, events, base);
  }

  /**
   * Makes sure that the log ends with an outcome that is stored already; a log that has expired gets it as its only
   * event. Only for runs that have ended in Postgres: their row names the highest attempt there was.
   */
  async announce(runId: string, attempt: number, outcome: RunOutcome): Promise<void> {
    try {
      await this.appendAbove(endOf(attempt), runId, attempt, [outcome]);
    } catch (error) {
      if (!(error instanceof RunEnded)) throw error;
    }
  }

  /** Removes the oldest logs of finished runs above the number that is kept; returns how many. */
  forgetOldest(): Promise<number> {
    const { maxEnded: most, endedTtlSeconds } = this.limits;
    const keeping = { most, maxAgeMs: endedTtlSeconds * 1000, keyOf: redisKeys.runLog };
    return forgetOldest(this.redis, redisKeys.endedLogs, keeping);
  }

  /**
   * Replaces logs by a terminal event without content, which refuses a worker that still writes and a client that is
   * about to announce a stored outcome. It expires when the log would have, or a little later.
   */
  bury(runs: readonly BuriedRun[]): Promise<void> {
    return buryLogs(this.redis, runs, this.limits);
  }

  /** Entries after a sequence, oldest first. */
  async read(runId: string, after: number, count: number): Promise<RunLogEntry[]> {
    const rows = await this.redis.xrange(redisKeys.runLog(runId), `(${after}-0`, '+', 'COUNT', count);
    return rows.map(parseStored);
  }

  /** The newest entry, if there is a log. */
  async lastEntry(runId: string): Promise<RunLogEntry | undefined> {
    const rows = await this.redis.xrevrange(redisKeys.runLog(runId), '+', '-', 'COUNT', 1);
    return rows.map(parseStored)[0];
  }

  private async appendAbove(
    floor: number,
    runId: string,
    attempt: number,
    events: readonly RunEvent[],
    base = -1,
  ): Promise<number> {
    const last = events.at(-1);
    if (!last) return base;
    const ends = isTerminalType(last.type);
    const call = base < 0 ? randomUUID() : '';
    const ttl = ends ? this.limits.endedTtlSeconds : this.limits.liveTtlSeconds;
    // Deltas leave the expiry alone: one command less for each.
    const renewTtl = last.type === 'delta' ? 0 : 1;
    const settings = [attempt, base, floor, call, this.limits.maxLength, ttl, renewTtl];
    const stored = events.flatMap(({ type, data }) => [type, JSON.stringify(data)]);
    try {
      const args = [...settings, redisKeys.runChannel(runId), ...stored];
      const sequence = await appendScript.run(this.redis, [redisKeys.runLog(runId)], args);
      // Not worth an error: the log also expires by itself.
      if (ends) this.redis.zadd(redisKeys.endedLogs, Date.now(), runId).catch(() => {});
      return sequence;
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('FENCED')) throw new Fenced(error.message);
      if (error instanceof Error && error.message.startsWith('ENDED')) throw new RunEnded(error.message);
      throw error;
    }
  }
}
