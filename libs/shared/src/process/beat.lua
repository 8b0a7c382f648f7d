-- Records a sign of life, and removes members that have shown none for too long.
--
-- KEYS[1]  sorted set of members, scored by their last sign of life
-- ARGV[1]  string   the member's text at its last sign of life
-- ARGV[2]  string   the member's text now
-- ARGV[3]  integer  milliseconds without a sign of life after which a member is gone
--
-- Returns nothing.
--- @include <now.lua>
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[1], now, ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
