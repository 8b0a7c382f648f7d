import type { Redis } from 'ioredis';

/**
 * Fence check, append and publish in one atomic call. The stream's last entry holds all the state there is: its
 * id is the sequence, its fields name the attempt that wrote it and whether the run has ended.
 *
 * KEYS[1] the log; ARGV: attempt, base, max length, ttl in seconds (0 keeps it), channel, then type and data of
 * each event. `base` is the last sequence the writer knows, or -1 to take over whatever is there.
 *
 * Answers the last sequence, or an error reply FENCED / ENDED. An append that is already there (the writer
 * repeats it because a reply was lost) is recognised by `base` and not made twice; a log that lost its tail with
 * a wiped Redis goes on at `base`, so that a sequence number never names two events.
 */
const appendLua = `
local attempt, base = tonumber(ARGV[1]), tonumber(ARGV[2])
local seq = 0
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last then
  seq = tonumber(string.match(last[1], '^%d+'))
  local fields = {}
  for i = 1, #last[2], 2 do fields[last[2][i]] = last[2][i + 1] end
  local owner = tonumber(fields.attempt)
  if attempt < owner then return redis.error_reply('FENCED by attempt ' .. owner) end
  local count = (#ARGV - 5) / 2
  if base >= 0 and attempt == owner and seq >= base + count then return seq end
  if fields.ended then return redis.error_reply('ENDED with ' .. fields.type) end
end
if base > seq then seq = base end
for i = 6, #ARGV, 2 do
  seq = seq + 1
  local kind, data = ARGV[i], ARGV[i + 1]
  if kind == 'completed' or kind == 'failed' or kind == 'cancelled' then
    redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[3], seq .. '-0', 'attempt', attempt, 'type', kind, 'data', data, 'ended', 1)
  else
    redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[3], seq .. '-0', 'attempt', attempt, 'type', kind, 'data', data)
  end
  redis.call('PUBLISH', ARGV[5], seq .. ' ' .. kind .. ' ' .. data)
end
if ARGV[4] ~= '0' then redis.call('EXPIRE', KEYS[1], ARGV[4]) end
return seq
`;

export interface AppendArguments {
  log: string;
  channel: string;
  attempt: number;
  base: number;
  maxLength: number;
  ttlSeconds: number;
  events: readonly { type: string; data: string }[];
}

interface WithAppend {
  quireAppend(log: string, ...args: (string | number)[]): Promise<number>;
}

/** Runs the script on a connection, registering it there at first use. */
export async function runAppendScript(redis: Redis, args: AppendArguments): Promise<number> {
  if (!('quireAppend' in redis)) redis.defineCommand('quireAppend', { numberOfKeys: 1, lua: appendLua });
  return (redis as Redis & WithAppend).quireAppend(
    args.log,
    args.attempt,
    args.base,
    args.maxLength,
    args.ttlSeconds,
    args.channel,
    ...args.events.flatMap((event) => [event.type, event.data]),
  );
}
