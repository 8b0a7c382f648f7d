import type { Redis } from 'ioredis';

/**
 * Fence check, append and publish in one atomic call. The stream's last entry holds all the state there is: its
 * id is the sequence, its fields name the attempt that wrote it and whether the run has ended.
 *
 * KEYS[1] the log; ARGV: attempt, base, floor, call, max length, ttl in seconds, 1 to renew it (a new log gets it
 * anyway), channel, then type and data of each event. `base` is the last sequence the writer knows, or -1 to take over
 * whatever is there; only then `call` names this append, and a log that may have lost something goes on behind `floor`:
 * one that is not there, or that another server (a restarted one, a replica) has begun.
 *
 * Answers the last sequence, or an error reply FENCED / ENDED. An append that is already there (the client
 * repeats it because a reply was lost) is recognised by `base` or `call` and not made twice; a log that lost its
 * tail with a wiped Redis goes on at `base`, so that a sequence number never names two events.
 */
const appendLua = `
local attempt, base, floor, call = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local seq, server = 0, ''
if base < 0 then server = string.match(redis.call('INFO', 'server'), 'run_id:(%x%x%x%x%x%x%x%x)') or '' end
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last then
  seq = tonumber(string.match(last[1], '^%d+'))
  local fields = {}
  for i = 1, #last[2], 2 do fields[last[2][i]] = last[2][i + 1] end
  local owner = tonumber(fields.attempt)
  if attempt < owner then return redis.error_reply('FENCED by attempt ' .. owner) end
  local count = (#ARGV - 8) / 2
  local repeated = base < 0 and fields.call == call or base >= 0 and attempt == owner and seq >= base + count
  if fields.ended and not (repeated and fields.type == ARGV[#ARGV - 1]) then
    return redis.error_reply('ENDED with ' .. fields.type)
  end
  if repeated then return seq end
  if base >= 0 then server = fields.server or '' end
  if base < 0 and fields.server ~= server and floor > seq then seq = floor end
elseif base < 0 then
  seq = floor
end
if base > seq then seq = base end
for i = 9, #ARGV, 2 do
  seq = seq + 1
  local kind, data = ARGV[i], ARGV[i + 1]
  local entry = {'attempt', attempt, 'server', server, 'type', kind, 'data', data}
  if kind == 'completed' or kind == 'failed' or kind == 'cancelled' then
    table.insert(entry, 'ended')
    table.insert(entry, 1)
  end
  if base < 0 then
    table.insert(entry, 'call')
    table.insert(entry, call)
  end
  redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[5], seq .. '-0', unpack(entry))
  redis.call('PUBLISH', ARGV[8], seq .. ' ' .. kind .. ' ' .. data)
end
if ARGV[7] == '1' or not last then redis.call('EXPIRE', KEYS[1], ARGV[6]) end
return seq
`;

export interface AppendArguments {
  log: string;
  channel: string;
  attempt: number;
  base: number;
  floor: number;
  /** Unique for each append without a `base`. */
  call: string;
  maxLength: number;
  ttlSeconds: number;
  renewTtl: boolean;
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
    args.floor,
    args.call,
    args.maxLength,
    args.ttlSeconds,
    args.renewTtl ? 1 : 0,
    args.channel,
    ...args.events.flatMap((event) => [event.type, event.data]),
  );
}
