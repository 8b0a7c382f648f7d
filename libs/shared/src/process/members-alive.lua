-- KEYS[1]  sorted set of members, scored by their last sign of life
-- ARGV[1]  integer  milliseconds without a sign of life after which a member is gone
--
-- Returns the texts of the members that are alive.
--- @include <now.lua>
return redis.call('ZRANGEBYSCORE', KEYS[1], now - ARGV[1], '+inf')
