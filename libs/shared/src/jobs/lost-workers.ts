import type { Redis } from 'ioredis';

/** In the job's own hash, so that it goes with the job. */
const EXCUSED_FIELD = 'quire:excused';

const excuseLua = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HINCRBY', KEYS[1], '${EXCUSED_FIELD}', 1)
`;

interface WithExcuse {
  quireExcuse(jobKey: string): Promise<number>;
}

/**
 * How many workers a job has cost their life. The queue sees locks that ran out, which happens to every job when Redis is
 * away for a while; a worker that is still there to notice has not died of it, and says so.
 */
export class LostWorkers {
  constructor(private readonly redis: Redis) {
    if (!('quireExcuse' in redis)) redis.defineCommand('quireExcuse', { numberOfKeys: 1, lua: excuseLua });
  }

  /** @param stalled how often the job's lock ran out */
  async of(jobKey: string, stalled: number): Promise<number> {
    if (stalled === 0) return 0;
    return stalled - Number((await this.redis.hget(jobKey, EXCUSED_FIELD)) ?? 0);
  }

  /** For a worker that has lost the job's lock and lives on. */
  async excuse(jobKey: string): Promise<void> {
    await (this.redis as Redis & WithExcuse).quireExcuse(jobKey);
  }
}
