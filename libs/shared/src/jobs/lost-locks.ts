import type { Redis } from 'ioredis';

/**
 * KEYS: the job, its lock, the queue's `active` and `stalled`; ARGV: the job's id, the lock's token, how often the job had been
 * taken then, the lock's time. BullMQ 6.7 counts the takes in `ats` and never renews a lock that has run out.
 */
const regainLua = `
local holder = redis.call('GET', KEYS[2])
if holder then return holder == ARGV[2] and 1 or 0 end
if redis.call('HGET', KEYS[1], 'ats') ~= ARGV[3] or not redis.call('LPOS', KEYS[3], ARGV[1]) then return 0 end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[4])
redis.call('SREM', KEYS[4], ARGV[1])
return 1
`;

interface WithRegain {
  quireRegainLock(...keysAndArguments: (string | number)[]): Promise<number>;
}

export interface LostLock {
  jobId: string;
  token: string;
  takes: number;
}

/** Locks that ran out while their workers live, as when Redis was away for a while. */
export class LostLocks {
  constructor(
    private readonly redis: Redis,
    private readonly toKey: (name: string) => string,
    private readonly lockMs: number,
  ) {
    if (!('quireRegainLock' in redis))
      redis.defineCommand('quireRegainLock', { numberOfKeys: 4, lua: regainLua });
  }

  /** False where the job has been taken from its worker already. */
  async regain({ jobId, token, takes }: LostLock): Promise<boolean> {
    const keys = [jobId, `${jobId}:lock`, 'active', 'stalled'].map(this.toKey);
    const redis = this.redis as Redis & WithRegain;
    return (await redis.quireRegainLock(...keys, jobId, token, takes, this.lockMs)) === 1;
  }
}
