import type { Redis } from 'ioredis';
import { LuaScript } from '../redis/lua-script.js';

/** Fields in the job's own hash, so that they go with the job. */
const EXCUSED_FIELD = 'quire:excused';
const ALONE_FIELD = 'quire:alone';

const excuseScript = new LuaScript<null>('quireExcuse', new URL('excuse.lua', import.meta.url));

/** What BullMQ counts of a job: `takes` in `ats`, `stalls` (expired locks) in `stc`. */
export interface TakeCounts {
  takes: number;
  stalls: number;
}

export interface Losses {
  /** Workers that died while they held the job. */
  workers: number;
  /** The last of them executed the job; the others may only have fetched it. */
  diedAlone: boolean;
}

/**
 * How many workers a job has cost their life. The queue sees locks that ran out, which happens to every job when Redis is
 * away for a while; a worker that is still there to notice has not died of it, and says so.
 */
export class LostWorkers {
  constructor(private readonly redis: Redis) {}

  async of(jobKey: string, { takes, stalls }: TakeCounts): Promise<Losses> {
    if (stalls === 0) return { workers: 0, diedAlone: false };
    const [excused, alone] = await this.redis.hmget(jobKey, EXCUSED_FIELD, ALONE_FIELD);
    const before = aloneMark({ takes: takes - 1, stalls: stalls - 1 });
    return { workers: stalls - Number(excused ?? 0), diedAlone: alone === before };
  }

  /** Notes before the execution of a suspect that a death during this take is its doing. */
  async noteAlone(jobKey: string, counts: TakeCounts): Promise<void> {
    await this.redis.hset(jobKey, ALONE_FIELD, aloneMark(counts));
  }

  /** For a worker that has lost the job's lock and lives on. */
  async excuse(jobKey: string): Promise<void> {
    await excuseScript.run(this.redis, [jobKey], [EXCUSED_FIELD]);
  }
}

const aloneMark = ({ takes, stalls }: TakeCounts) => `${takes}/${stalls}`;
