import type { Redis } from 'ioredis';
import { LuaScript } from '../redis/lua-script.js';

const regainScript = new LuaScript<0 | 1>('quireRegainLock', new URL('regain-lock.lua', import.meta.url));

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
  ) {}

  /** False where the job has been taken from its worker already. */
  async regain({ jobId, token, takes }: LostLock): Promise<boolean> {
    const keys = [jobId, `${jobId}:lock`, 'active', 'stalled'].map(this.toKey);
    return (await regainScript.run(this.redis, keys, [jobId, token, takes, this.lockMs])) === 1;
  }
}
