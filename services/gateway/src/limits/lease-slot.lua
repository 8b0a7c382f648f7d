-- Takes a slot if one is free, or renews one that is held.
--
-- KEYS[1]  sorted set of the slots taken, scored by the ends of their leases
-- ARGV[1]  string   slot
-- ARGV[2]  integer  how many slots there are; -1 to renew, which also retakes a slot that Redis has lost
-- ARGV[3]  integer  lease in milliseconds
--
-- Returns 1, or 0 if all slots are taken.
--- @include <now.lua>
local limit = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if limit >= 0 and redis.call('ZCARD', KEYS[1]) >= limit then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
