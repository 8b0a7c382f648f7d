import type { Redis } from 'ioredis';

/**
 * Replaces a log by its end alone, in one atomic call: whoever appends to it afterwards finds a run that has ended.
 *
 * KEYS[1] the log; ARGV: attempt, floor, ttl in seconds, channel, type and data of the end. A log that is not there is
 * begun behind `floor`.
 */
const buryLua = `
local attempt, seq = tonumber(ARGV[1]), tonumber(ARGV[2])
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last then seq = tonumber(string.match(last[1], '^%d+')) end
seq = seq + 1
redis.call('UNLINK', KEYS[1])
redis.call('XADD', KEYS[1], seq .. '-0', 'attempt', attempt, 'type', ARGV[5], 'data', ARGV[6], 'ended', 1)
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], seq .. ' ' .. ARGV[5] .. ' ' .. ARGV[6])
return seq
`;

export interface BuryArguments {
  log: string;
  channel: string;
  attempt: number;
  floor: number;
  ttlSeconds: number;
  end: { type: string; data: string };
}

interface WithBury {
  quireBury(log: string, ...args: (string | number)[]): Promise<number>;
}

/** Runs the script on a connection, registering it there at first use. */
export async function runBuryScript(redis: Redis, args: BuryArguments): Promise<void> {
  if (!('quireBury' in redis)) redis.defineCommand('quireBury', { numberOfKeys: 1, lua: buryLua });
  const { log, channel, attempt, floor, ttlSeconds, end } = args;
  await (redis as Redis & WithBury).quireBury(log, attempt, floor, ttlSeconds, channel, end.type, end.data);
}
