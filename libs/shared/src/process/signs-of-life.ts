import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { LuaScript } from '../redis/lua-script.js';

const SIGN_OF_LIFE_MS = 3000;
const CONSIDERED_GONE_MS = 10_000;
/** A Redis that hangs must not hold up the end of a process; who says no goodbye is missed soon enough. */
const GOODBYE_LIMIT_MS = 500;

const beatScript = new LuaScript<null>('quireBeat', new URL('beat.lua', import.meta.url));
const membersAliveScript = new LuaScript<string[]>(
  'quireMembersAlive',
  new URL('members-alive.lua', import.meta.url),
);

/**
 * Keeps a member in a sorted set, scored by its last sign of life; answers a function that says goodbye. What a member
 * says of itself may change from one sign to the next.
 */
export function showSignsOfLife(redis: Redis, key: string, describe: () => string): () => Promise<void> {
  let member = describe();
  const beat = async () => {
    const before = member;
    member = describe();
    await beatScript.run(redis, [key], [before, member, CONSIDERED_GONE_MS]);
  };
  const ignoreOutage = () => {};
  beat().catch(ignoreOutage);
  const timer = setInterval(() => void beat().catch(ignoreOutage), SIGN_OF_LIFE_MS);
  return async () => {
    clearInterval(timer);
    if (redis.status !== 'ready') return;
    const said = redis.zrem(key, member).catch(ignoreOutage);
    await Promise.race([said, sleep(GOODBYE_LIMIT_MS, undefined, { ref: false })]);
  };
}

/** Those that showed a sign of life in the last 10 s. */
export function membersAlive(redis: Redis, key: string): Promise<string[]> {
  return membersAliveScript.run(redis, [key], [CONSIDERED_GONE_MS]);
}
