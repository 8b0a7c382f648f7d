import { redisKeys } from '@quire/shared/redis';
import type { Redis } from 'ioredis';

/** How long a counted request counts, and in how many slices of that time requests are counted together. */
export interface RateWindow {
  windowMs: number;
  slices: number;
}

export const minute: RateWindow = { windowMs: 60_000, slices: 60 };
export const WINDOW_SECONDS = minute.windowMs / 1000;

/**
 * KEYS[1] the hash of a caller's requests: number of a slice of time → requests counted in it.
 * ARGV: limit, milliseconds of a slice, slices that a window spans.
 * A slice counts until it lies outside the window as a whole, so that no window of any place holds more than the limit.
 * Returns whether the request was counted (0 or 1), how many more would be now, the slice it was counted in, and in how
 * many milliseconds one more will be, and all of the limit. By the clock of Redis, which all gateways share.
 */
const countLua = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local limit, sliceMs, kept = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]) + 1
local present = math.floor(now / sliceMs)
local stored, slices, counted = redis.call('HGETALL', KEYS[1]), {}, 0
for i = 1, #stored, 2 do
  local slice, requests = tonumber(stored[i]), tonumber(stored[i + 1])
  if slice <= present - kept then
    redis.call('HDEL', KEYS[1], stored[i])
  else
    slices[#slices + 1] = {slice, requests}
    counted = counted + requests
  end
end
local accepted = counted < limit
if accepted then
  redis.call('HINCRBY', KEYS[1], present, 1)
  redis.call('PEXPIRE', KEYS[1], (kept + 1) * sliceMs)
  slices[#slices + 1] = {present, 1}
  counted = counted + 1
end
table.sort(slices, function(one, other) return one[1] < other[1] end)
local left, oneFree, allFree = counted, now, now
for _, slice in ipairs(slices) do
  allFree = (slice[1] + kept) * sliceMs
  if left >= limit then oneFree = allFree end
  left = left - slice[2]
end
return {accepted and 1 or 0, math.max(limit - counted, 0), present, oneFree - now, allFree - now}
`;

/** KEYS[1] as above; ARGV[1] the slice in which a request was counted that is not to count. */
const giveBackLua = `
local requests = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0)
if requests > 1 then redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
elseif requests == 1 then redis.call('HDEL', KEYS[1], ARGV[1]) end
`;

interface WithRate {
  quireCount(
    key: string,
    limit: number,
    sliceMs: number,
    slices: number,
  ): Promise<[number, number, number, number, number]>;
  quireGiveBack(key: string, slice: number): Promise<null>;
}

/** What is left of a caller's requests in the window that ends now. */
export interface Quota {
  limit: number;
  remaining: number;
  /** Until one more request is let in; 0 where one would be now. */
  nextMs: number;
  /** Until all requests of the limit are there again, if the caller makes none meanwhile. */
  resetMs: number;
}

export type Counted = Quota & ({ exceeded: true } | { exceeded: false; giveBack(): Promise<void> });

/** Requests of each caller in any window of a minute, counted for all gateways together. */
export class RateLimit {
  private readonly commands: Redis & WithRate;
  private readonly sliceMs: number;

  constructor(
    redis: Redis,
    private readonly window: RateWindow = minute,
  ) {
    redis.defineCommand('quireCount', { numberOfKeys: 1, lua: countLua });
    redis.defineCommand('quireGiveBack', { numberOfKeys: 1, lua: giveBackLua });
    this.commands = redis as Redis & WithRate;
    this.sliceMs = window.windowMs / window.slices;
  }

  /** Counts a request unless the limit is reached. The limit may be another one each time. */
  async take(callerId: string, limit: number): Promise<Counted> {
    const key = redisKeys.requestRate(callerId);
    const reply = await this.commands.quireCount(key, limit, this.sliceMs, this.window.slices);
    const [accepted, remaining, slice, nextMs, resetMs] = reply;
    const quota: Quota = { limit, remaining, nextMs, resetMs };
    if (accepted === 0) return { ...quota, exceeded: true };
    const giveBack = async () => void (await this.commands.quireGiveBack(key, slice));
    return { ...quota, exceeded: false, giveBack };
  }
}
