import type { Redis } from 'ioredis';
import type { RunOutcome } from '../contracts/run-event.contract.js';
import { LuaScript } from '../redis/lua-script.js';
import { redisKeys } from '../redis/redis-keys.js';
import type { RunLogLimits } from './run-log-limits.js';
import { endOf } from './sequence.js';

/** A run whose log is replaced by its terminal event, because its thread is deleted. */
export interface BuriedRun {
  id: string;
  /** The highest there was. */
  attempt: number;
  endedAt: Date | null;
  /** The terminal event that its followers get. */
  end: RunOutcome;
}

/** A thread may have had thousands of runs. */
const RUNS_AT_ONCE = 200;
/** A client that resumes a run that has ended long ago may be about to announce its outcome. */
const SHORTEST_SECONDS = 60;

const buryScript = new LuaScript<null>(new URL('bury.lua', import.meta.url));

export async function buryLogs(
  redis: Redis,
  runs: readonly BuriedRun[],
  limits: RunLogLimits,
): Promise<void> {
  for (let from = 0; from < runs.length; from += RUNS_AT_ONCE) {
    const some = runs.slice(from, from + RUNS_AT_ONCE);
    await Promise.all(some.map((run) => buryLog(redis, run, limits)));
    await redis.zrem(redisKeys.endedLogs, ...some.map(({ id }) => id));
  }
  // The text is gone from memory, but not from the append-only file.
  await redis.incr(redisKeys.deletionsToCompact);
}

async function buryLog(redis: Redis, run: BuriedRun, { endedTtlSeconds }: RunLogLimits): Promise<void> {
  const { id, attempt, endedAt, end } = run;
  const sinceEnd = endedAt ? (Date.now() - endedAt.getTime()) / 1000 : 0;
  const seconds = Math.max(Math.ceil(endedTtlSeconds - sinceEnd), SHORTEST_SECONDS);
  const event = [end.type, JSON.stringify(end.data)];
  const args = [attempt, endOf(attempt), seconds, redisKeys.runChannel(id), ...event];
  await buryScript.run(redis, [redisKeys.runLog(id)], args);
}
