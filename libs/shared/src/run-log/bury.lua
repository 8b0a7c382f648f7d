-- Replaces a run's log by a terminal event, which refuses every later append.
--
-- KEYS[1]  stream   the run's log
-- ARGV[1]  integer  the run's highest attempt
-- ARGV[2]  integer  a log that is lost continues above this sequence
-- ARGV[3]  integer  expiry in seconds
-- ARGV[4]  string   channel
-- ARGV[5]  string   type of the event
-- ARGV[6]  string   data of the event
--
-- Returns nothing.
local attempt, seq = tonumber(ARGV[1]), tonumber(ARGV[2])
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last then seq = tonumber(string.match(last[1], '^%d+')) end
seq = seq + 1
redis.call('UNLINK', KEYS[1])
redis.call('XADD', KEYS[1], seq .. '-0', 'attempt', attempt, 'type', ARGV[5], 'data', ARGV[6], 'ended', 1)
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], seq .. ' ' .. ARGV[5] .. ' ' .. ARGV[6])
