-- Uncounts a request.
--
-- KEYS[1]  hash of the caller's requests: number of a slice -> requests counted in it
-- ARGV[1]  integer  the slice in which the request was counted
--
-- Returns nothing.
local requests = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0)
if requests > 1 then redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
elseif requests == 1 then redis.call('HDEL', KEYS[1], ARGV[1]) end
