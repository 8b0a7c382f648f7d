import type { Redis } from 'ioredis';
import { LuaScript } from '../redis/lua-script.js';
import { timeBudgets, within } from '../time/index.js';

const { renewEveryMs, goneAfterMs } = timeBudgets.presence;

const beatScript = new LuaScript<null>(new URL('beat.lua', import.meta.url));
const membersAliveScript = new LuaScript<string[]>(new URL('members-alive.lua', import.meta.url));

/**
 * Keeps a member in a sorted set, scored by its last sign of life; `describe` may return another text each time. Returns
 * a function that removes the member.
 */
export function showSignsOfLife(redis: Redis, key: string, describe: () => string): () => Promise<void> {
  let member = describe();
  const beat = async () => {
    const before = member;
    member = describe();
    await beatScript.run(redis, [key], [before, member, goneAfterMs]);
  };
  const ignoreOutage = () => {};
  beat().catch(ignoreOutage);
  const timer = setInterval(() => void beat().catch(ignoreOutage), renewEveryMs);
  return async () => {
    clearInterval(timer);
    if (redis.status !== 'ready') return;
    // A Redis that hangs must not delay the end of the process: the member expires by itself.
    await within(timeBudgets.stop.disconnectMs, redis.zrem(key, member).catch(ignoreOutage));
  };
}

/** The members with a sign of life in the last `goneAfterMs`. */
export function membersAlive(redis: Redis, key: string): Promise<string[]> {
  return membersAliveScript.run(redis, [key], [goneAfterMs]);
}
