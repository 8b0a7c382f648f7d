-- Checks the fence, appends events to a run's log and publishes them. The last entry of the stream holds all the state:
-- its id is the sequence, its fields name the attempt that wrote it, the Redis server and whether the run has ended.
-- `sequence.ts` describes the numbers.
--
-- KEYS[1]  stream   the run's log
-- ARGV[1]  integer  the writer's attempt
-- ARGV[2]  integer  base: the last sequence the writer knows, or -1 to continue behind whatever the log holds
-- ARGV[3]  integer  floor: without a base, a log that is lost or was begun by another server continues above it
-- ARGV[4]  string   without a base: unique id of this append
-- ARGV[5]  integer  most entries the log keeps
-- ARGV[6]  integer  expiry in seconds
-- ARGV[7]  0 | 1    whether to renew the expiry; a new log gets it anyway
-- ARGV[8]  string   channel
-- ARGV[9…] string   type and data of each event, alternating
--
-- Returns the last sequence. An append that the client repeats because it got no reply is recognized by its base or its
-- id: it changes nothing and returns the same. Errors:
--   FENCED  a later attempt has written to the log
--   ENDED   the log holds its terminal event
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
