-- Determines the priority of a tenant's next job on the chat queue: behind the tenant's last one, but not before the
-- current priority.
--
-- KEYS[1]  sorted set  tenants, scored by the priority of their last job
-- KEYS[2]  string      the current priority
-- KEYS[3]  list        BullMQ's `wait`
-- KEYS[4]  sorted set  BullMQ's `prioritized`
-- ARGV[1]  string      tenant
-- ARGV[2]  0 | 1       whether the job is added
-- ARGV[3]  integer     the last priority there is
-- ARGV[4]  integer     above it priorities start again at 1 when no job waits
-- ARGV[5]  integer     seconds for which the first two keys are kept
--
-- Returns {priority, jobs that are taken before this one}.
--- @include bullmq/jobs-ahead.lua
local current = tonumber(redis.call('GET', KEYS[2]) or 1)
if current >= tonumber(ARGV[4]) and waiting_jobs(KEYS[3], KEYS[4]) == 0 and ARGV[2] == '1' then
  redis.call('DEL', KEYS[1], KEYS[2])
  current = 1
end
local last = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or 0)
local priority = math.min(math.max(current, last + 1), tonumber(ARGV[3]))
if ARGV[2] == '1' then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. current)
  redis.call('ZADD', KEYS[1], priority, ARGV[1])
  redis.call('EXPIRE', KEYS[1], ARGV[5])
  redis.call('SET', KEYS[2], current, 'EX', ARGV[5])
end
return {priority, jobs_ahead(KEYS[3], KEYS[4], priority)}
