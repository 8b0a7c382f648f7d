-- Determines the turn of a tenant's next job on the chat queue: behind the tenant's last one, but not before the present
-- turn. BullMQ's score of a waiting job is its priority * 2^32 plus a counter; jobs in `wait` go before those in
-- `prioritized`.
--
-- KEYS[1]  sorted set  tenants by the turn of their last job
-- KEYS[2]  string      the present turn
-- KEYS[3]  list        BullMQ's `wait`
-- KEYS[4]  sorted set  BullMQ's `prioritized`
-- ARGV[1]  string      tenant
-- ARGV[2]  0 | 1       whether the tenant takes the turn
-- ARGV[3]  integer     the last turn there is
-- ARGV[4]  integer     from this turn on counting starts again at 1 when no job waits
-- ARGV[5]  integer     seconds for which the first two keys are kept
--
-- Returns {turn, jobs that wait in front}.
local waiting, ranked = redis.call('LLEN', KEYS[3]), redis.call('ZCARD', KEYS[4])
local present = tonumber(redis.call('GET', KEYS[2]) or 1)
if present >= tonumber(ARGV[4]) and waiting + ranked == 0 and ARGV[2] == '1' then
  redis.call('DEL', KEYS[1], KEYS[2])
  present = 1
end
local last = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or 0)
local turn = math.min(math.max(present, last + 1), tonumber(ARGV[3]))
if ARGV[2] == '1' then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. present)
  redis.call('ZADD', KEYS[1], turn, ARGV[1])
  redis.call('EXPIRE', KEYS[1], ARGV[5])
  redis.call('SET', KEYS[2], present, 'EX', ARGV[5])
end
local before = redis.call('ZCOUNT', KEYS[4], '-inf', '(' .. string.format('%.0f', (turn + 1) * 4294967296))
return {turn, waiting + before}
