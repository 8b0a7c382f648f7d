-- BullMQ takes jobs from `wait` (a list) before those in `prioritized` (a sorted set). A job's score there is its
-- priority * 2^32 plus a counter.
local function waiting_jobs(wait, prioritized)
  return redis.call('LLEN', wait) + redis.call('ZCARD', prioritized)
end
-- Returns how many jobs are taken before one that is added now with this priority.
local function jobs_ahead(wait, prioritized, priority)
  local next_priority = string.format('%.0f', (priority + 1) * 4294967296)
  return redis.call('LLEN', wait) + redis.call('ZCOUNT', prioritized, '-inf', '(' .. next_priority)
end
