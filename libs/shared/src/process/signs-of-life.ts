import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';

const SIGN_OF_LIFE_MS = 3000;
const CONSIDERED_GONE_MS = 10_000;
/** A Redis that hangs must not hold up the end of a process; who says no goodbye is missed soon enough. */
const GOODBYE_LIMIT_MS = 500;

/** By the clock of Redis, which all share: a process whose own is wrong would see nobody, or remove everybody. */
const nowLua = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;
/** KEYS[1] those alive; ARGV: what the member was called before, and is called now. */
const beatLua = `${nowLua}
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[1], now, ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${CONSIDERED_GONE_MS})
redis.call('PEXPIRE', KEYS[1], ${CONSIDERED_GONE_MS})
`;
const aliveLua = `${nowLua}
return redis.call('ZRANGEBYSCORE', KEYS[1], now - ${CONSIDERED_GONE_MS}, '+inf')
`;

/**
 * Keeps a member in a sorted set, scored by its last sign of life; answers a function that says goodbye. What a member
 * says of itself may change from one sign to the next.
 */
export function showSignsOfLife(redis: Redis, key: string, describe: () => string): () => Promise<void> {
  let member = describe();
  const beat = async () => {
    const before = member;
    member = describe();
    await redis.eval(beatLua, 1, key, before, member);
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
export async function membersAlive(redis: Redis, key: string): Promise<string[]> {
  return (await redis.eval(aliveLua, 1, key)) as string[];
}
