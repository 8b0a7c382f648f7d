import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import {
  isTerminalType,
  type RunEvent,
  type RunEventType,
  type RunOutcome,
} from '../contracts/run-event.contract.js';
import { forgetOldest } from '../redis/forget-oldest.js';
import { redisKeys } from '../redis/redis-keys.js';
import { runAppendScript } from './append-script.js';
import { runBuryScript } from './bury-script.js';
import { endOf, floorOf } from './sequence.js';

/** One event as stored: `data` stays the JSON text that clients get. */
export interface RunLogEntry {
  seq: number;
  type: RunEventType;
  data: string;
}

/** A run whose log goes. */
export interface BuriedRun {
  id: string;
  /** The highest there was. */
  attempt: number;
  endedAt: Date | null;
  /** What those who follow it are told. */
  end: RunOutcome;
}

/** Another attempt has taken the run over: whoever sees this stops at once. */
export class Fenced extends Error {}
/** The run has ended; nothing can be appended any more. */
export class RunEnded extends Error {}

export interface RunLogLimits {
  /** Far above what a run writes within its deadline at one delta per coalescing window. */
  maxLength: number;
  /** How long an unfinished run's log is kept after its last status. */
  liveTtlSeconds: number;
  /** How long a finished run can be followed from the log; later the outcome comes from Postgres. */
  endedTtlSeconds: number;
  /** How many finished runs are kept in the log at most, whatever their age. */
  maxEnded: number;
}

export const defaultRunLogLimits: RunLogLimits = {
  maxLength: 10_000,
  liveTtlSeconds: 24 * 3600,
  endedTtlSeconds: 3600,
  maxEnded: 5000,
};

/** A thread may have had thousands of runs. */
const BURIED_AT_ONCE = 200;
/** Nobody writes for a run that has ended long ago; only a client that resumes may be about to have its end announced. */
const SHORTEST_BURIAL_SECONDS = 60;

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
    try {
      const sequence = await runAppendScript(this.redis, {
        log: redisKeys.runLog(runId),
        channel: redisKeys.runChannel(runId),
        attempt,
        base,
        floor,
        call: base < 0 ? randomUUID() : '',
        maxLength: this.limits.maxLength,
        ttlSeconds: ends ? this.limits.endedTtlSeconds : this.limits.liveTtlSeconds,
        // Deltas leave the expiry alone: one command less for each.
        renewTtl: last.type !== 'delta',
        events: events.map((event) => ({ type: event.type, data: JSON.stringify(event.data) })),
      });
      // Not worth an error: the log also expires by itself.
      if (ends) this.redis.zadd(redisKeys.endedLogs, Date.now(), runId).catch(() => {});
      return sequence;
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('FENCED')) throw new Fenced(error.message);
      if (error instanceof Error && error.message.startsWith('ENDED')) throw new RunEnded(error.message);
      throw error;
    }
  }

  /**
   * Makes sure that the log ends with an outcome that is stored already; a log that has expired is begun anew behind
   * all that anybody may have been shown. Only for runs that have ended in Postgres: their row names the highest attempt
   * there was.
   */
  async announce(runId: string, attempt: number, outcome: RunOutcome): Promise<void> {
    try {
      await this.appendAbove(endOf(attempt), runId, attempt, [outcome]);
    } catch (error) {
      if (!(error instanceof RunEnded)) throw error;
    }
  }

  /** Removes the logs of finished runs beyond the number that is kept; answers how many. */
  forgetOldest(): Promise<number> {
    const { maxEnded: most, endedTtlSeconds } = this.limits;
    const keeping = { most, maxAgeMs: endedTtlSeconds * 1000, keyOf: redisKeys.runLog };
    return forgetOldest(this.redis, redisKeys.endedLogs, keeping);
  }

  /**
   * Keeps nothing of runs' logs but an end without content, which shuts out whoever still writes to one or is about to
   * announce a stored outcome there. It lives as long as the log would have, or a little longer.
   */
  async bury(runs: readonly BuriedRun[]): Promise<void> {
    for (let from = 0; from < runs.length; from += BURIED_AT_ONCE) {
      const some = runs.slice(from, from + BURIED_AT_ONCE);
      await Promise.all(some.map((run) => this.buryOne(run)));
      await this.redis.zrem(redisKeys.endedLogs, ...some.map(({ id }) => id));
    }
    // The text is gone from memory, but not from the append-only file.
    await this.redis.incr(redisKeys.deletionsToCompact);
  }

  private buryOne({ id, attempt, endedAt, end }: BuriedRun): Promise<void> {
    const sinceEnd = endedAt ? (Date.now() - endedAt.getTime()) / 1000 : 0;
    const left = Math.ceil(this.limits.endedTtlSeconds - sinceEnd);
    return runBuryScript(this.redis, {
      log: redisKeys.runLog(id),
      channel: redisKeys.runChannel(id),
      attempt,
      floor: endOf(attempt),
      ttlSeconds: Math.max(left, SHORTEST_BURIAL_SECONDS),
      end: { type: end.type, data: JSON.stringify(end.data) },
    });
  }

  /** Entries after a sequence, oldest first. */
  async read(runId: string, after: number, count: number): Promise<RunLogEntry[]> {
    const rows = await this.redis.xrange(redisKeys.runLog(runId), `(${after}-0`, '+', 'COUNT', count);
    return rows.map(toEntry);
  }

  /** The newest entry, if there is a log. */
  async lastEntry(runId: string): Promise<RunLogEntry | undefined> {
    const rows = await this.redis.xrevrange(redisKeys.runLog(runId), '+', '-', 'COUNT', 1);
    return rows.map(toEntry)[0];
  }
}

function toEntry([id, fields]: [id: string, fields: string[]]): RunLogEntry {
  return {
    seq: Number.parseInt(id, 10),
    type: fieldOf(fields, 'type') as RunEventType,
    data: fieldOf(fields, 'data'),
  };
}

function fieldOf(fields: readonly string[], name: string): string {
  for (let i = 0; i < fields.length; i += 2) if (fields[i] === name) return fields[i + 1] ?? '';
  return '';
}

/** The reverse of the publish format in the append script. */
export function parsePublished(message: string): RunLogEntry {
  const first = message.indexOf(' ');
  const second = message.indexOf(' ', first + 1);
  return {
    seq: Number.parseInt(message.slice(0, first), 10),
    type: message.slice(first + 1, second) as RunEventType,
    data: message.slice(second + 1),
  };
}
